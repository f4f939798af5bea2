import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { MongoClient } from 'mongodb';
import type { Admin } from 'mongodb';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { warnOfSlowFailovers } from '@itsm/shared/stores/mongo/slow-failovers';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { issueCertificate } from '../deployed/certificates';
import { freePort } from '../free-port';
import { startPlatformProcess } from '../platform-process';
import { runToEnd } from '../service-processes';
import { killGroups, startGroup, waitForAnswer } from './process-group';

const { MONGODB_URL, AMQP_URL = '' } = process.env;
/** Its MongoDB is its own; the broker, which a service by itself needs too, is that of the run. */
const withServers = MONGODB_URL === undefined || AMQP_URL === '' ? describe.skip : describe;

const root = join(__dirname, '../../..');
const user = 'the@platform/of us';
const password = 'p@ss/w:o?r#d%';
const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
/** The authentication database, which no service uses. */
const usersIn = 'people';
const services = ['auth', 'graph', 'ui-extensions', 'webhook-delivery', 'webhooks'];
const databases = services.map((service) => `itsm-${service}`);

withServers('MongoDB with TLS, users and nothing more than they need', () => {
  let directory: string;
  let hosts: string[];
  let authority: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'itsm-mongodb-'));
    authority = makeAuthority(directory);
    hosts = await startSet(directory, authority);
  });
  afterAll(() => {
    killGroups();
    rmSync(directory, { recursive: true, force: true });
  });

  const address = (of: readonly string[], database: string, more = '') =>
    `mongodb://${credentials}@${of.join(',')}/${database}?authSource=${usersIn}&tls=true&tlsCAFile=${encodeURIComponent(authority)}${more}`;

  test.each([
    ['three seeds', () => address(hosts, 'itsm', '&replicaSet=rs0')],
    ['one seed', () => address(hosts.slice(1, 2), 'itsm', '&replicaSet=rs0')],
  ])('npm start by %s', async (_name, mongodbUrl) => {
    // Databases and data folder belong together.
    const data = { directory: join(directory, 'data'), mongodbUrl: mongodbUrl() };
    const platform = await startPlatformProcess({ port: await freePort(), data });
    const { graphql_url, accounts } = platform.demo;
    const ask = () =>
      fetch(graphql_url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${accounts.wdc.administrator.personal_access_token}`,
          'x-service-account': 'wdc',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query: '{ me { name } }' }),
      });
    // On a machine that is busy with the start an answer can be late, and the gateway says so.
    const answer = await waitUntil('an answer in time', async () => {
      const body: unknown = await (await ask()).json();
      return JSON.stringify(body).includes('SERVICE_UNAVAILABLE') ? undefined : { body };
    });
    expect(answer.body).toEqual({ data: { me: { name: 'Ellen Brown' } } });
    expect(platform.greeting).not.toContain(encodeURIComponent(password));
    expect(await platform.stop()).toBe(0);
  });

  const ownSettings = (mongodbUrl: string) => ({
    MONGODB_URL: mongodbUrl,
    AMQP_URL,
    AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks',
    BASE_URL: 'http://localhost:4000',
  });

  test.each([
    ['three seeds', () => address(hosts, 'itsm-ui-extensions', '&replicaSet=rs0')],
    ['one seed', () => address(hosts.slice(2), 'itsm-ui-extensions', '&replicaSet=rs0')],
  ])('a service by itself by %s', async (_name, mongodbUrl) => {
    const port = await freePort();
    const service = startGroup(process.execPath, ['dist/main.js'], {
      cwd: join(root, 'services/ui-extensions'),
      env: { ...ownSettings(mongodbUrl()), PORT: String(port) },
    });
    const answers = () => fetch(`http://127.0.0.1:${port}/v1/ui_extensions`).catch(() => undefined);
    const answer = await waitForAnswer('an answer of the service', service, answers);
    expect(answer.status).toBe(401);
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  describe('settings that make a failover slow', () => {
    const asRoot = (url: string) =>
      url.replace(credentials, 'root:root').replace(`authSource=${usersIn}`, 'authSource=admin');
    const ofSet = () => address(hosts, 'itsm', '&replicaSet=rs0');
    const nodeOf = (host: string) => asRoot(address([host], 'admin', '&directConnection=true'));

    async function reportsTo(url: string): Promise<(readonly unknown[])[]> {
      const reports: (readonly unknown[])[] = [];
      const connection = await connectMongo(url);
      await warnOfSlowFailovers(connection, { warn: (...report) => void reports.push(report) });
      await connection.close();
      return reports;
    }

    async function administrating<T>(url: string, work: (admin: Admin) => Promise<T>): Promise<T> {
      const administrator = await MongoClient.connect(url);
      const done = await work(administrator.db('admin').admin());
      await administrator.close();
      return done;
    }

    const slowElections = 'a failover of the store takes longer than ten seconds: its elections are slow';
    const besideElections = async (url: string) =>
      (await reportsTo(url)).filter(([message]) => message !== slowElections);

    test.each([
      ['the primary', 1, [0]],
      ['the others', 2, [1, 2]],
    ])('second questions to a frozen node by %s are reported in the same way', async (_which, value, nodes) => {
      for (const node of nodes)
        await administrating(nodeOf(hosts[node]!), (admin) =>
          admin.command({ setParameter: 1, oplogFetcherSteadyStateMaxFetcherRestarts: value }),
        );
      expect(await reportsTo(ofSet())).toEqual([]);
      const remedy = 'db.adminCommand({ setParameter: 1, oplogFetcherSteadyStateMaxFetcherRestarts: 0 })';
      const commands = hosts.map((host) => `mongosh 'mongodb://${host}/?directConnection=true' --eval '${remedy}'`);
      const message = 'a failover from a frozen node takes longer than ten seconds: the others ask it again';
      const facts = { oplogFetcherSteadyStateMaxFetcherRestarts: value, command: commands.join('; ') };
      expect(await besideElections(asRoot(ofSet()))).toEqual([[message, facts]]);
      for (const host of hosts)
        await administrating(nodeOf(host), (admin) => {
          const adminCommand = (command: object) => admin.command(command);
          return runInNewContext(remedy, { db: { adminCommand } }) as Promise<unknown>;
        });
      expect(await besideElections(asRoot(ofSet()))).toEqual([]);
    });

    // The last one of this set: from here on a node that pauses for two seconds loses its primary.
    test('elections are reported with the remedy to who may read the settings, until it was carried out', async () => {
      expect(await reportsTo(ofSet())).toEqual([]);
      const remedy = 'const c = rs.conf(); c.settings.electionTimeoutMillis = 2000; rs.reconfig(c)';
      const command = `mongosh 'mongodb://${hosts.join(',')}/?replicaSet=rs0' --eval '${remedy}'`;
      expect(await reportsTo(asRoot(ofSet()))).toEqual([[slowElections, { electionTimeoutMillis: 10_000, command }]]);
      await administrating(asRoot(ofSet()), (admin) =>
        carryOut(remedy, {
          conf: async () => (await admin.command({ replSetGetConfig: 1 }))['config'] as Settings,
          reconfig: (to) => admin.command({ replSetReconfig: { ...to, version: to.version + 1 } }),
        }),
      );
      expect(await reportsTo(asRoot(ofSet()))).toEqual([]);
    });
  });

  test('a wrong password ends the start with a sentence that does not show it', async () => {
    const wrong = address(hosts, 'itsm-ui-extensions').replace(credentials, `${encodeURIComponent(user)}:wr0ng`);
    const run = await runToEnd('ui-extensions', 'main', [], ownSettings(wrong));
    expect(run).toEqual({ status: 1, stderr: 'Could not start: Authentication failed.\n' });
  });

  test('without the certificate authority the start ends with a sentence', async () => {
    const without = `mongodb://${credentials}@${hosts.join(',')}/itsm?authSource=${usersIn}&tls=true&replicaSet=rs0`;
    const { status, stderr } = await runToEnd('ui-extensions', 'main', [], ownSettings(without));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Could not start: [^\n]*certificate[^\n]*\n$/);
  });
});

withServers('a MongoDB that is no replica set', () => {
  let directory: string;
  let host: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'itsm-alone-'));
    host = `127.0.0.1:${await startNode(join(directory, 'alone'), ['--alone'])}`;
    await waitUntil('the server', () => isThere(`mongodb://${host}/`));
  });
  afterAll(() => {
    killGroups();
    rmSync(directory, { recursive: true, force: true });
  });

  const whatToDo =
    'Start mongod with --replSet rs0, even if it is the only one, run rs.initiate() on it once, and have ?replicaSet=rs0 in the address.';

  test.each([
    ['', 'the MongoDB there is no replica set'],
    ['?replicaSet=rs0', 'no server of the address is in the replica set rs0'],
  ])('ends npm start and a service, with %j in the address, with a sentence of what to do', async (options, why) => {
    const settings = { MONGODB_URL: `mongodb://${host}/itsm${options}`, DATA_DIR: join(directory, 'data') };
    const platform = startGroup(process.execPath, [join(root, 'embedded/dist/main.js')], {
      cwd: directory,
      env: { ...settings, PORT: String(await freePort()) },
    });
    expect(await platform.ended).toBe(1);
    const atMongodb = 'Could not start: the MongoDB at MONGODB_URL cannot be used: ';
    expect(platform.output().split('\n').at(-2)).toBe(`${atMongodb}${why}. ${whatToDo}`);
    const required = { AMQP_URL, AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks', BASE_URL: 'http://localhost:4000' };
    const service = await runToEnd('ui-extensions', 'main', [], { ...settings, ...required });
    expect(service).toEqual({ status: 1, stderr: `Could not start: ${why}. ${whatToDo}\n` });
  });
});

interface Settings {
  readonly version: number;
}

/** Runs a line of MongoDB's shell, which waits for every call. */
async function carryOut(
  line: string,
  shell: { conf(): Promise<Settings>; reconfig(to: Settings): Promise<unknown> },
): Promise<void> {
  const conf = await shell.conf();
  let done: Promise<unknown> = Promise.resolve();
  const rs = { conf: () => conf, reconfig: (to: Settings) => void (done = shell.reconfig(to)) };
  runInNewContext(line, { rs });
  await done;
}

/** Creates a private authority; returns the path of its certificate. */
function makeAuthority(directory: string): string {
  const file = join(directory, 'authority.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${file}.key`];
  const subject = ['-subj', '/CN=Authority of a test', '-days', '2', '-out', file];
  execFileSync('openssl', ['req', '-x509', ...key, ...subject], { stdio: 'ignore' });
  return file;
}

async function startNode(directory: string, options: readonly string[]): Promise<number> {
  mkdirSync(directory, { recursive: true });
  const port = await freePort();
  const script = join(root, 'scripts/mongodb-node.mjs');
  const { HOME = '', MONGOD = '' } = process.env;
  startGroup(process.execPath, [script, directory, '127.0.0.1', String(port), ...options], {
    cwd: root,
    env: { HOME, ...(MONGOD !== '' && { MONGOD }) },
  });
  return port;
}

async function isThere(url: string): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 500 });
  const isUp = await client.connect().then(
    () => true,
    () => false,
  );
  await client.close();
  return isUp;
}

/**
 * A replica set of three nodes that accept TLS only, with one user who may read and write the platform's databases
 * only.
 */
async function startSet(directory: string, authority: string): Promise<string[]> {
  const keyFile = join(directory, 'key-of-the-set');
  writeFileSync(keyFile, randomBytes(96).toString('base64'), { mode: 0o600 });
  const { bothFile } = issueCertificate(directory, ['localhost']);
  const tls = ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', bothFile, '--tlsCAFile', authority];
  const options = ['--keyFile', keyFile, ...tls, '--tlsAllowConnectionsWithoutCertificates'];
  const ports = await Promise.all([0, 1, 2].map((n) => startNode(join(directory, `node-${n}`), options)));
  const hosts = ports.map((port) => `localhost:${port}`);
  const query = `?directConnection=true&tls=true&tlsCAFile=${encodeURIComponent(authority)}`;
  for (const host of hosts) await waitUntil(host, () => isThere(`mongodb://${host}/${query}`));
  // The localhost exception: a server without users permits this from its own machine.
  const first = await MongoClient.connect(`mongodb://${hosts[0]}/${query}`);
  const admin = first.db('admin');
  const members = hosts.map((host, _id) => ({ _id, host, priority: _id === 0 ? 1 : 0 }));
  await admin.command({ replSetInitiate: { _id: 'rs0', members } });
  await waitUntil('a primary', async () => Boolean((await admin.command({ hello: 1 }))['isWritablePrimary']));
  await admin.command({ createUser: 'root', pwd: 'root', roles: ['root'] });
  await first.close();
  const administrator = await MongoClient.connect(`mongodb://root:root@${hosts[0]}/${query}&authSource=admin`);
  const roles = databases.map((db) => ({ role: 'readWrite', db }));
  await administrator.db(usersIn).command({ createUser: user, pwd: password, roles, writeConcern: { w: 3 } });
  await administrator.close();
  return hosts;
}
