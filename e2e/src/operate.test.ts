import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port';
import { makePlatformData } from './platform-data';
import { startPlatformProcess } from './platform-process';
import type { PlatformProcess } from './platform-process';
import { query } from './tour/api';

const entry = join(__dirname, '../../embedded/dist/operate.js');
const data = makePlatformData('operate');
let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatformProcess({ port: await freePort(), data });
});
afterAll(async () => {
  await platform.stop();
  await data.remove();
});

const operate = (...args: string[]) => {
  const env = { PATH: process.env['PATH'], DATA_DIR: data.directory, PERSON_PASSWORD: 'long enough a password' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('beside npm start the operator creates an account for the people of another one, and they can use it at once', async () => {
  const { administrator } = platform.demo.accounts.wdc;
  const args = ['create-account', '--account', 'night', '--name', 'Night shift', '--directory', 'wdc'];
  const made = operate(...args, '--administrator', administrator.email);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout).toContain('Account night is ready, with the directory account wdc; Ellen Brown');
  const credentials = { token: administrator.personal_access_token, account: 'night' };
  const { data } = await query(platform.demo.graphql_url, credentials, '{ me { roles } account { name } }');
  expect(data).toEqual({
    me: { roles: ['account_administrator', 'specialist'] },
    account: { name: 'Night shift' },
  });
  expect(operate(...args)).toMatchObject({ status: 0 });
});

test('a refused command prints a sentence and exits with 1', () => {
  expect(operate('create-account', '--account', 'day', '--directory', 'nobody')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Not done: Directory account nobody does not exist\n',
  });
  expect(operate('create-accounts')).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage') as string });
});

test('commands are accepted only from the owner of the data folder', async () => {
  const file = join(data.directory, 'operator.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url: string };
  const body = JSON.stringify({ arguments: ['disable-account', '--account', 'wdc'] });
  for (const headers of [{}, { Authorization: 'Bearer ' }, { Authorization: `Bearer ${'x'.repeat(43)}` }]) {
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(401);
  }
});

test('while the platform does not run the command says how to start it; a data folder that is opened again keeps its accounts', async () => {
  expect(await platform.stop()).toBe(0);
  expect(operate('enable-account', '--account', 'wdc').stderr).toContain('does not run. Start it with npm start.');
  const { accounts } = platform.demo;
  platform = await startPlatformProcess({ port: await freePort(), data });
  expect(platform.demo.accounts).toEqual(accounts);
});
