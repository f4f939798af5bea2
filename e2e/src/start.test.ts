import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prefixOf } from '@itsm/embedded/data/store';
import { freePort } from './free-port';
import { startCollector } from './operations/collector';
import { makePlatformData, stores } from './platform-data';
import { startPlatformProcess } from './platform-process';

const withMongodb = stores.includes('mongodb') ? test : test.skip;

const entry = join(__dirname, '../../embedded/dist/main.js');
const folders: string[] = [];
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'itsm-start-'));
  folders.push(path);
  return path;
};
afterAll(() => folders.forEach((path) => rmSync(path, { recursive: true, force: true })));

/** Listens on a socket file, like the lock of another platform. */
async function listen(path: string): Promise<void> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  server.unref();
}

/** Runs the starter until it exits. */
const start = (env: Record<string, string>) =>
  spawnSync(process.execPath, [entry], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });

test('a port in use ends the start with a sentence that says what to do', async () => {
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

test('a data folder without write access ends the start with a sentence', async () => {
  const file = join(folder(), 'a-file');
  writeFileSync(file, '');
  const run = start({ PORT: String(await freePort()), DATA_DIR: join(file, 'data') });
  expect(run.stderr).toMatch(
    /^Could not start: the data folder .* cannot be written \(ENOTDIR\)\. Choose another with DATA_DIR\.\n$/,
  );
  expect(run.status).toBe(1);
});

test('all bad settings are named together', () => {
  const run = start({ PORT: 'eighty', LOG_LEVEL: 'loud', DATA_DIR: folder() });
  expect(run.stderr).toContain('PORT: must be a port number');
  expect(run.stderr).toContain('LOG_LEVEL: ');
  expect(run.stderr).not.toContain('    at ');
  expect(run.status).toBe(1);
});

test('settings that only deployed processes have are refused together', () => {
  const run = start({ HOST: '0.0.0.0', AMQP_URL: 'amqp://user:pass@broker.example/', DATA_DIR: folder() });
  expect(run.stderr.split('\n').sort()).toEqual([
    '',
    '  AMQP_URL: cannot be set for npm start: it does this in the process',
    '  HOST: cannot be set for npm start: it listens on loopback alone',
    'These settings need your attention:',
  ]);
  expect(run.status).toBe(1);
});

test('an unreadable file of the data folder is named', async () => {
  const dataDirectory = folder();
  writeFileSync(join(dataDirectory, 'secrets.json'), '{');
  const run = start({ PORT: String(await freePort()), DATA_DIR: dataDirectory });
  expect(run.stderr).toBe(
    `Could not start: ${join(dataDirectory, 'secrets.json')} cannot be understood. Put it back as it was, or move the data folder away to start over.\n`,
  );
  expect(run.status).toBe(1);
});

test.each([
  [
    'that is no store',
    /is not a data log of this program/,
    (file: string) => writeFile(join(file, 'data.log'), 'no store'),
  ],
  [
    'in use by another platform',
    /is in use by another process/,
    (file: string) => listen(join(file, 'lock.0000000000000000')),
  ],
])('a data folder %s ends the start with its cause and what to do', async (_what, cause, prepare) => {
  const dataDirectory = folder();
  const store = join(dataDirectory, 'mongo');
  mkdirSync(store);
  await prepare(store);
  const { status, stderr } = start({ PORT: String(await freePort()), DATA_DIR: dataDirectory });
  expect(stderr).toMatch(cause);
  const whatToDo = 'Stop the platform that uses it, or choose another folder with DATA_DIR';
  expect(stderr).toMatch(new RegExp(`^Could not start: the store cannot be opened: [^\n]*\\. ${whatToDo}\\.\n$`));
  expect(status).toBe(1);
});

test('health, metrics and traces are available on request', async () => {
  const [collector, port, opsPort] = [await startCollector(), await freePort(), await freePort()];
  const settings = { OPS_PORT: String(opsPort), OTLP_ENDPOINT: collector.endpoint, TRACE_RATIO: '1' };
  const platform = await startPlatformProcess({ port, data: makePlatformData('start'), settings });
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

// About the embedded store: its file must be protected as well.
test('it listens on loopback only and keeps its secrets to their owner', async () => {
  const data = makePlatformData('start', 'embedded');
  chmodSync(data.directory, 0o755);
  const platform = await startPlatformProcess({ port: await freePort(), data });
  try {
    for (const file of ['demo.json', 'secrets.json', 'platform.log', 'mongo/data.log']) {
      expect(statSync(join(data.directory, file)).mode & 0o777).toBe(0o600);
    }
    expect(platform.greeting).toContain(`\nData: ${join(data.directory, 'mongo')}\n`);
    const { accounts } = platform.demo;
    expect(Object.keys(accounts)).toEqual(['wdc', 'acme', 'wdc-labs']);
    expect(accounts.wdc.specialist.password).not.toBe(accounts.acme.specialist.password);
  } finally {
    expect(await platform.stop()).toBe(0);
    await data.remove();
  }
});

test('a MongoDB that does not answer ends the start with a sentence, without the password of the address', async () => {
  const address = `mongodb://ada:never-shown@127.0.0.1:${await freePort()}/itsm`;
  const run = start({ PORT: String(await freePort()), DATA_DIR: folder(), MONGODB_URL: address });
  expect(run.stderr).toMatch(
    /^Could not start: the MongoDB at MONGODB_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:\d+\. Start it, or correct MONGODB_URL; without it the platform has a store of its own\.\n$/,
  );
  expect(run.stdout).not.toContain('never-shown');
  expect(run.status).toBe(1);
});

withMongodb(
  'with a MongoDB the data are there, in a database for each service, and nothing is kept in the folder',
  async () => {
    const data = makePlatformData('start');
    const platform = await startPlatformProcess({ port: await freePort(), data });
    try {
      const prefix = prefixOf(data.mongodbUrl ?? '');
      const place = new RegExp(`^Data: databases ${prefix}-… of the MongoDB at [\\d.:,]+$`, 'm');
      expect(platform.greeting).toMatch(place);
      const auth = await data.connect('auth');
      const { databases } = await auth.listDatabases();
      await auth.close();
      const own = databases.map(({ name }) => name).filter((name) => name.startsWith(prefix));
      const services = ['auth', 'graph', 'ui-extensions', 'webhook-delivery', 'webhooks'];
      expect(own.sort()).toEqual(services.map((name) => `${prefix}-${name}`));
      expect(existsSync(join(data.directory, 'mongo'))).toBe(false);
    } finally {
      expect(await platform.stop()).toBe(0);
      await data.remove();
    }
  },
);
