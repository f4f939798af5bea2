import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';
import { startCollector } from './operations/collector';
import { startPlatformProcess } from './platform-process';

const entry = join(__dirname, '../../embedded/dist/main.js');
const folders: string[] = [];
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'itsm-start-'));
  folders.push(path);
  return path;
};
afterAll(() => folders.forEach((path) => rmSync(path, { recursive: true, force: true })));

/** Runs the starter until it ends by itself. */
const start = (env: Record<string, string>) =>
  spawnSync(process.execPath, [entry], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });

test('a taken port ends with one sentence that says what to do', async () => {
  const port = await freePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const run = start({ PORT: String(port), DATA_DIR: folder() });
  other.close();
  expect(run.stderr).toBe(
    `Could not start: port ${port} is taken. Stop what listens there, or choose another: PORT=4100 npm start\n`,
  );
  expect(run.status).toBe(1);
});

test('a data folder that cannot be written ends with one sentence', async () => {
  const file = join(folder(), 'a-file');
  writeFileSync(file, '');
  const run = start({ PORT: String(await freePort()), DATA_DIR: join(file, 'data') });
  expect(run.stderr).toMatch(
    /^Could not start: the data folder .* cannot be written \(ENOTDIR\)\. Choose another with DATA_DIR\.\n$/,
  );
  expect(run.status).toBe(1);
});

test('broken settings are all named at once', () => {
  const run = start({ PORT: 'eighty', LOG_LEVEL: 'loud', DATA_DIR: folder() });
  expect(run.stderr).toContain('PORT: must be a port number');
  expect(run.stderr).toContain('LOG_LEVEL: ');
  expect(run.stderr).not.toContain('    at ');
  expect(run.status).toBe(1);
});

test('settings of a deployed process that have no place here are refused, all at once', () => {
  const run = start({ HOST: '0.0.0.0', MONGODB_URL: 'mongodb://user:pass@store.example/', DATA_DIR: folder() });
  expect(run.stderr.split('\n').sort()).toEqual([
    '',
    '  HOST: cannot be set for npm start: it listens on loopback alone',
    '  MONGODB_URL: cannot be set for npm start: it keeps its data in files, in the folder DATA_DIR',
    'These settings need your attention:',
  ]);
  expect(run.status).toBe(1);
});

test('a file of the data folder that cannot be understood is named', async () => {
  const dataDirectory = folder();
  writeFileSync(join(dataDirectory, 'secrets.json'), '{');
  const run = start({ PORT: String(await freePort()), DATA_DIR: dataDirectory });
  expect(run.stderr).toBe(
    `Could not start: ${join(dataDirectory, 'secrets.json')} cannot be understood. Put it back as it was, or move the data folder away to start over.\n`,
  );
  expect(run.status).toBe(1);
});

test('health, metrics and traces are there for who asks for them', async () => {
  const [collector, port, opsPort] = [await startCollector(), await freePort(), await freePort()];
  const settings = { OPS_PORT: String(opsPort), OTLP_ENDPOINT: collector.endpoint, TRACE_RATIO: '1' };
  const platform = await startPlatformProcess({ port, dataDirectory: folder(), settings });
  try {
    const ops = (path: string) => fetch(`http://127.0.0.1:${opsPort}${path}`);
    expect(await (await ops('/readyz?verbose')).text()).toBe('process serving\nok\n');
    const { administrator } = platform.demo.accounts.wdc;
    const headers = { Authorization: `Bearer ${administrator.personal_access_token}`, 'X-Service-Account': 'wdc' };
    const answer = await fetch(`${platform.demo.base_url}/v1/people`, { headers });
    expect(answer.status).toBe(200);
    const metrics = await (await ops('/metrics')).text();
    for (const service of ['gateway', 'auth'])
      expect(metrics).toContain(`_count{service="${service}",method="GET",status="200"}`);
  } finally {
    expect(await platform.stop()).toBe(0);
  }
  expect(collector.services()).toEqual(['platform']);
  await collector.close();
});

test('it listens on loopback only and keeps its secrets to their owner', async () => {
  const dataDirectory = folder();
  chmodSync(dataDirectory, 0o755);
  const platform = await startPlatformProcess({ port: await freePort(), dataDirectory });
  try {
    for (const file of ['demo.json', 'secrets.json', 'platform.log', 'mongo/data.log']) {
      expect(statSync(join(dataDirectory, file)).mode & 0o777).toBe(0o600);
    }
    const { accounts } = platform.demo;
    expect(Object.keys(accounts)).toEqual(['wdc', 'acme', 'wdc-labs']);
    expect(accounts.wdc.specialist.password).not.toBe(accounts.acme.specialist.password);
  } finally {
    expect(await platform.stop()).toBe(0);
  }
});
