import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo as startDatabases } from '@itsm/shared/testing/real-store';
import { killGroups } from './operations/process-group';
import { startBrokerAndRedis } from './operations/servers';
import { deployables, runToEnd, startServiceProcesses } from './service-processes';
import type { ServiceProcesses } from './service-processes';
import { expectSignIn } from './sign-in-at-console';
import { call, query } from './tour/api';
import { createBrowser } from './tour/browser';
import type { Page } from './tour/browser';
import { members, text } from './tour/expect';
import { startReceiver } from './tour/receiver';
import type { Receiver } from './tour/receiver';

const withServers = process.env['MONGODB_URL'] !== undefined ? describe : describe.skip;

const email = 'ada@example.com';
const password = 'correct horse battery staple';
const customUrl = 'https://works.widget.example';
const done = { status: 0, stderr: '' };

test.each(deployables)('%s without settings names all missing ones together and exits with 1', async (name) => {
  const run = await runToEnd(name, 'main', [], {});
  expect(run.stderr).toMatch(/^These settings need your attention:\n( {2}[A-Z_]+: is missing\n)+$/);
  expect(run.status).toBe(1);
});

withServers('every deployable as a process of its own, over MongoDB, RabbitMQ and Redis', () => {
  let directory: string;
  let mongo: Awaited<ReturnType<typeof startDatabases>>;
  let receiver: Receiver;
  let processes: ServiceProcesses;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'itsm-services-'));
    mongo = await startDatabases();
    const { rabbitmq, redis } = await startBrokerAndRedis(directory);
    receiver = await startReceiver();
    processes = await startServiceProcesses({
      mongoUrl: (database) => mongo.urlOf(database),
      amqpUrl: rabbitmq.url,
      redisUrl: redis.url,
    });
  });
  afterAll(async () => {
    await receiver.close();
    await mongo.close();
    killGroups();
    rmSync(directory, { recursive: true, force: true });
  });

  const runAuth = (script: string, parameters: readonly string[]) =>
    runToEnd('auth', script, parameters, {
      ...processes.environment,
      MONGODB_URL: mongo.urlOf('auth'),
      BOOTSTRAP_PASSWORD: password,
    });

  /**
   * What the first administrator does after the bootstrap: signs in, and creates a personal access token on the page.
   */
  async function makeToken(email: string): Promise<{ token: string; revoke: () => Promise<Page> }> {
    const { baseUrl } = processes;
    const browser = createBrowser(baseUrl);
    const [signIn] = (await browser.visit(`${baseUrl}/oauth/sign-in`)).forms;
    if (!signIn) throw new Error('no sign-in form');
    const profile = await browser.submit(signIn, { email, password });
    const form = profile.forms.find(({ action }) => action.endsWith('/personal-access-tokens'));
    if (!form) throw new Error('no form for a personal access token');
    const action = ['me:Name', '*:Read', '*:Create', '*:Update', '*:Delete'];
    const made = await browser.submit(form, { name: 'first', days: '30', action });
    const token = text(/itsm_pat_\w+/.exec(made.html)?.[0], 'the token on the page');
    const revocation = made.forms.find(({ action: path }) => /personal-access-tokens\/.*\/revoke$/.test(path));
    if (!revocation) throw new Error('no form to revoke the token');
    return { token, revoke: () => browser.submit(revocation, {}) };
  }

  test('from the first administrator to a delivered event, and a revocation that takes effect at once', async () => {
    const { baseUrl } = processes;
    const wdc = ['--account', 'wdc', '--account-name', 'Widget Data Center', '--name', 'Ada Adams', '--email', email];
    expect(await runAuth('bootstrap', wdc)).toEqual(done);
    const { token, revoke } = await makeToken(email);
    const credentials = { token, account: 'wdc' };
    const graphqlUrl = `${baseUrl}/graphql`;

    const me = await query(graphqlUrl, credentials, '{ me { name } people(first: 5) { nodes { name } } }');
    expect(me.data).toEqual({ me: { name: 'Ada Adams' }, people: { nodes: [{ name: 'Ada Adams' }] } });

    const labs = ['create-account', '--account', 'labs', '--directory', 'wdc', '--administrator', email];
    expect(await runAuth('operate', labs)).toEqual(done);
    const inBranch = await query(graphqlUrl, { token, account: 'labs' }, '{ me { name roles } }');
    expect(inBranch.data).toEqual({ me: { name: 'Ada Adams', roles: ['account_administrator', 'specialist'] } });

    const webhook = { event: 'request.create', uri: receiver.uri };
    const registered = await call(`${baseUrl}/v1/webhooks`, credentials, { method: 'POST', json: webhook });
    expect(registered.status).toBe(201);
    const verify = await receiver.next(({ body }) => body['event'] === 'webhook.verify');
    const callback = text(members(verify.body['payload'], 'payload')['callback'], 'callback');
    expect((await fetch(callback)).status).toBe(200);

    const mutation =
      'mutation { requestCreate(input: { subject: "Over RabbitMQ" }) { request { id } errors { message } } }';
    const created = await query(graphqlUrl, credentials, mutation);
    const { request } = members(created.data['requestCreate'], 'requestCreate');
    const id = members(request, 'request')['id'];
    const delivered = await receiver.next(({ body }) => body['object_nodeID'] === id);
    expect(delivered.body).toMatchObject({ event: 'request.create', account_id: 'wdc', person_name: 'Ada Adams' });

    expect((await revoke()).status).toBe(200);
    expect((await call(graphqlUrl, credentials, { method: 'POST', json: { query: '{ me { id } }' } })).status).toBe(
      401,
    );
    await expectSignIn(baseUrl, { email, password });
    // No log line of the processes contains the secrets of this test.
    expect(processes.output()).not.toContain(token);
    expect(processes.output()).not.toContain(password);
    expect(processes.output()).not.toContain(new URL(callback).searchParams.get('code'));
  });

  test('running bootstrap again is harmless to an account and its administrator', async () => {
    const graphqlUrl = `${processes.baseUrl}/graphql`;
    const works = ['create-account', '--account', 'works', '--directory', 'staff', '--custom-url', customUrl];
    for (const command of [
      ['create-account', '--account', 'staff'],
      [...works, '--name', 'Works of Widget'],
    ])
      expect(await runAuth('operate', command)).toEqual(done);
    const again = ['--account', 'works', '--name', 'Wilma West', '--email', 'wilma@example.com'];
    expect(await runAuth('bootstrap', again)).toEqual(done);
    const { token } = await makeToken('wilma@example.com');
    const ask = async (text: string) => (await query(graphqlUrl, { token, account: 'works' }, text)).data;
    const { me } = await ask('{ me { id } }');
    const changes =
      'locale: "nl-NL", timeZone: "Europe/Amsterdam", sourceID: "hr-7", source: "HR", authenticationID: "idp|7"';
    const roles = 'roles: [account_administrator, specialist, auditor]';
    const id = text(members(me, 'me')['id'], 'id');
    await ask(`mutation { personUpdate(input: { id: "${id}", ${changes}, ${roles} }) { errors { message } } }`);
    const trusts = 'trusts: [{ accountID: "wdc", as: provider }]';
    await ask(`mutation { accountUpdate(input: { ${trusts} }) { errors { message } } }`);
    const everything = `{ account { name customUrl disabled directoryAccount { accountID } trusts { accountID as } }
      me { id name primaryEmail verified locale timeZone source sourceID authenticationID roles disabled } people(first: 5) { totalCount } }`;
    const before = await ask(everything);
    expect(before).toMatchObject({
      account: {
        name: 'Works of Widget',
        customUrl,
        directoryAccount: { accountID: 'staff' },
        trusts: [{ accountID: 'wdc' }],
      },
      me: { locale: 'nl-NL', sourceID: 'hr-7', authenticationID: 'idp|7' },
    });
    expect(await runAuth('bootstrap', again)).toEqual(done);
    expect(await ask(everything)).toEqual(before);
    await expectSignIn(processes.baseUrl, { email: 'wilma@example.com', password }, 'works');
  });

  test('all of them stop in order on SIGTERM', async () => {
    expect(await processes.stop()).toEqual(deployables.map(() => 0));
  });
});
