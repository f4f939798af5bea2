import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { independentClient } from '../records/independent-client';
import { deployables } from '../service-processes';
import { expectSignIn } from '../sign-in-at-console';
import { call, query } from '../tour/api';
import { members, text } from '../tour/expect';
import { startReceiver } from '../tour/receiver';
import type { Receiver } from '../tour/receiver';
import { runTour, steps } from '../tour/run-tour';
import { choices, expectChoices, overlays } from './choices';
import { startCompose } from './compose';
import type { Compose } from './compose';
import { connects, nameOf } from './engines';
import { expectRoom, expectSweep } from './leftovers';
import { addresses } from './network';
import { documentedCommand } from './operations-page';
import { authorizeWithOpenidClient } from './openid-client';
import { furnish, makeToken } from './site';
import type { Credentials, Site } from './site';
import { startWorld } from './world';
import type { Deployment, World } from './world';

const email = 'howard.tanner@widget.example';
const password = 'correct horse battery staple';
const inFull = 'production-au';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The URLs that docs/operations.md gives for a deployment, by the gateway's host. */
function siteOf({ manifests, pods }: Deployment): Site {
  const settings = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('gateway-'));
  const baseUrl = text(settings?.data?.['BASE_URL'], 'BASE_URL');
  const at = (name: string) => baseUrl.replace('https://', `https://${name}.`);
  const auth = pods.get('auth');
  if (!auth) throw new Error('there is no pod of auth');
  return {
    baseUrl,
    apiUrl: at('api'),
    authUrl: at('oauth'),
    graphqlUrl: `${at('graphql')}/`,
    operate: (command, input) => auth.exec(command, input),
  };
}

/** Creates the first account with the command of docs/operations.md; its administrator creates a token on the page. */
async function openAccount(site: Site): Promise<Credentials> {
  const command = documentedCommand('kubectl -n itsm-production-au exec -i deploy/auth', 'deploy/auth -- ');
  expect(await site.operate(command, password)).toMatchObject({ code: 0 });
  return { token: await makeToken(site, email, password), account: 'wdc' };
}

/** Registers a webhook, opens the callback, and checks that the webhook is active at the URL in the answer. */
async function verifyWebhook({ apiUrl }: Site, credentials: Credentials, receiver: Receiver): Promise<string> {
  const webhook = { event: 'request.create', uri: receiver.uri };
  const registered = await call(`${apiUrl}/v1/webhooks`, credentials, { method: 'POST', json: webhook });
  expect(registered).toMatchObject({ status: 201, body: { state: 'unverified' } });
  const { nodeID } = members(registered.body, 'the webhook');
  const verify = await receiver.next(
    ({ body }) => body['event'] === 'webhook.verify' && body['webhook_nodeID'] === nodeID,
  );
  const callback = text(members(verify.body['payload'], 'payload')['callback'], 'callback');
  const page = await fetch(callback);
  expect([callback, page.status, await page.text()]).toEqual([
    callback,
    200,
    expect.stringContaining('Verification successful'),
  ]);
  const location = text(registered.headers.get('location'), 'Location');
  expect(await call(location, credentials)).toMatchObject({ status: 200, body: { state: 'active' } });
  return callback;
}

/** Creates a request through the GraphQL host, and waits for its delivery. */
async function hearOfRequest({ graphqlUrl }: Site, credentials: Credentials, receiver: Receiver) {
  const create = 'mutation { requestCreate(input: { subject: "Deployed" }) { request { id } errors { message } } }';
  const { data } = await query(graphqlUrl, credentials, create);
  const { request } = members(data['requestCreate'], 'requestCreate');
  const { id } = members(request, 'request');
  return receiver.next(({ body }) => body['object_nodeID'] === id);
}

describe('machines that a test ended by its time limit leaves behind', () => {
  test('make room for the next one of their name', expectRoom);
  test('are swept with their processes when their run is gone, and those of this run stay', expectSweep);
});

test.each(overlays.filter((name) => name !== inFull))(
  '%s as rendered becomes ready, has an account made, and a webhook verified and called',
  async (overlay) => {
    const cluster = await world.deploy(overlay, choices[overlay]);
    try {
      const site = siteOf(cluster);
      const credentials = await openAccount(site);
      const callback = await verifyWebhook(site, credentials, world.receiver);
      expect(new URL(callback).origin).toBe(site.baseUrl.replace('https://', 'https://wdc.'));
      await hearOfRequest(site, credentials, world.receiver);
      const across = '{ me { name } requests(first: 1) { nodes { subject requestedBy { name } } } }';
      const { data } = await query(site.graphqlUrl, credentials, across);
      expect(data).toMatchObject({ me: { name: 'Howard Tanner' }, requests: { nodes: [{ subject: 'Deployed' }] } });
      await expectChoices(cluster, choices[overlay]);
    } finally {
      expect(await cluster.stop()).toEqual(deployables.map(() => 0));
      await world.engines.empty();
    }
    // In production few traces are sampled.
    if (!overlay.startsWith('production'))
      expect(cluster.collector.services()).toEqual(
        expect.arrayContaining(['auth', 'gateway', 'graph', 'webhook-delivery', 'webhooks']),
      );
  },
);

describe(`${inFull} as rendered, in full`, () => {
  let cluster: Deployment;
  let site: Site;
  let credentials: Credentials;
  beforeAll(async () => {
    cluster = await world.deploy(inFull);
    site = siteOf(cluster);
    credentials = await openAccount(site);
  });
  afterAll(async () => {
    await cluster.stop();
    await world.engines.empty();
  });

  test('a body above the usual limit of proxies reaches the platform', async () => {
    const form = new FormData();
    form.set('type', 'nothing');
    form.set('file', new Blob([`subject\n${'x'.repeat(3_000_000)}`]), 'records.csv');
    const headers = { Authorization: `Bearer ${credentials.token}`, 'X-Service-Account': 'wdc' };
    const answer = await fetch(`${site.apiUrl}/v1/import`, { method: 'POST', headers, body: form });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      422,
      expect.stringContaining('application/json'),
    ]);
  });

  test("a sign-in at the console leads to the person's account", () => expectSignIn(site.baseUrl, { email, password }));

  test('plain http is redirected by the ingress, and refused by the gateway', async () => {
    const redirected = await fetch(site.graphqlUrl.replace('https:', 'http:'), { method: 'POST', redirect: 'manual' });
    expect([redirected.status, redirected.headers.get('location')]).toEqual([308, site.graphqlUrl]);
    const { host } = new URL(site.graphqlUrl);
    const headers = { Host: host, Authorization: `Bearer ${credentials.token}`, 'X-Service-Account': 'wdc' };
    // Simulates an ingress without the redirect.
    const through = await cluster.fromIngress('POST', '/', { ...headers, 'X-Forwarded-Proto': 'http' });
    expect(through).toMatchObject({ status: 400, body: expect.stringMatching(/https/i) as string });
  });

  test('secrets are in files that only the process can read, and in no environment', async () => {
    const ownSecrets: Readonly<Record<string, string>> = { gateway: 'INTROSPECTION_SECRET', console: 'COOKIE_KEYS' };
    const closed = { shown: false, writable: ['/tmp/x'], mode: 0o440, uid: 0, gid: 65532, user: 65532 };
    for (const [name, pod] of cluster.pods) {
      const script = `
        const fs = require('fs');
        const files = fs.readdirSync('/run/secrets/itsm');
        const secrets = files.map((file) => fs.readFileSync('/run/secrets/itsm/' + file, 'utf8').trim());
        const environment = fs.readFileSync('/proc/' + process.argv[1] + '/environ', 'utf8');
        const writable = ['/app/x', '/run/secrets/itsm/x', '/x', '/tmp/x'].filter((path) => { try { fs.writeFileSync(path, ''); return true } catch { return false } });
        const { mode, uid, gid } = fs.statSync('/run/secrets/itsm/' + files[0]);
        console.log(JSON.stringify({ files, shown: secrets.some((secret) => environment.includes(secret)), writable, mode: mode & 0o777, uid, gid, user: process.getuid() }));`;
      const { output } = await pod.exec(['/nodejs/bin/node', '-e', script, String(pod.pid)]);
      expect([name, JSON.parse(output)]).toEqual([
        name,
        {
          files: expect.arrayContaining([ownSecrets[name] ?? 'MONGODB_URL']) as string[],
          ...closed,
        },
      ]);
    }
  });

  test('services accept connections only from clients that the network policies name', async () => {
    const graph = cluster.pods.get('graph');
    const doors = async (from: string) => [
      await connects(graph?.host.address, 4002, from),
      await connects(graph?.host.address, 9090, from),
      await connects(cluster.pods.get('gateway')?.host.address, 4000, from),
    ];
    expect([await doors(addresses.client), await doors(addresses.prometheus)]).toEqual([
      [false, false, false],
      [false, true, false],
    ]);
    const script = `require('net').connect(27017, '${nameOf('mongodb-0')}').on('connect', () => { console.log('open'); process.exit() }).on('error', (error) => console.log(error.code));`;
    const from = async (name: string) =>
      (await cluster.pods.get(name)?.exec(['/nodejs/bin/node', '-e', script]))?.output;
    expect([await from('graph'), await from('gateway')]).toEqual(['open\n', 'ECONNREFUSED\n']);
  });

  test('the index job of a release succeeds for every service with a store', async () => {
    const jobs = await world.render(`${inFull}/indexes`);
    const done = { code: 0, output: expect.stringContaining('The indexes are there') as string };
    expect(await cluster.runJobs(jobs)).toEqual(Array(5).fill(done));
  });

  test("the security log has the client's public address", async () => {
    const source = '{ securityLog(first: 5) { nodes { event ip } } }';
    const { data } = await query(site.graphqlUrl, credentials, source);
    const entries = members(data['securityLog'], 'securityLog')['nodes'] as { event: string; ip: string | null }[];
    const seen = entries.filter(({ ip }) => ip !== null);
    expect(new Set(seen.map(({ ip }) => ip))).toEqual(new Set([addresses.client]));
  });

  test('when a receiver is gone its webhook is disabled, and the administrator is notified by mail', async () => {
    const gone = { ...world.receiver, uri: `${world.receiver.uri}?gone` };
    const webhook = { event: 'request.create', uri: gone.uri };
    expect(await call(`${site.apiUrl}/v1/webhooks`, credentials, { method: 'POST', json: webhook })).toMatchObject({
      status: 201,
    });
    const mail = await waitUntil('a mail', () =>
      world.mail.mails.find(({ email: { subject } }) => subject?.includes('disabled')),
    );
    expect(mail).toMatchObject({ from: `service@${new URL(site.baseUrl).hostname}`, to: [email] });
  });

  test('a receiver can discover the key of a signed webhook by its issuer alone', async () => {
    const policy = await call(`${site.apiUrl}/v1/webhook_policies`, credentials, {
      method: 'POST',
      json: { name: 'signed', jwt_alg: 'es256', jwt_audience: 'receiver' },
    });
    expect(policy).toMatchObject({ status: 201 });
    const { id } = members(policy.body, 'the policy');
    const uri = `${world.receiver.uri}?signed`;
    const webhook = { event: 'request.create', uri, webhook_policy_id: id, openid_connect_discovery: true };
    const registered = await call(`${site.apiUrl}/v1/webhooks`, credentials, { method: 'POST', json: webhook });
    expect(registered).toMatchObject({ status: 201 });
    const { body } = await world.receiver.next(({ body: sent }) => typeof sent['jwt'] === 'string');
    const jwt = text(body['jwt'], 'jwt');
    const issuer = text(decodeJwt(jwt).iss, 'iss');
    expect(issuer).toBe(`${site.baseUrl.replace('https://', 'https://wdc.')}/webhook_policies/signed`);
    const found = await fetch(`${issuer}/.well-known/openid-configuration`);
    const document = members(await found.json(), 'the discovery document');
    expect(document['issuer']).toBe(issuer);
    const keys = createRemoteJWKSet(new URL(text(document['jwks_uri'], 'jwks_uri')));
    const { payload } = await jwtVerify(jwt, keys, { issuer, audience: 'receiver' });
    const callback = text(members(members(payload['data'], 'data')['payload'], 'payload')['callback'], 'callback');
    expect((await fetch(callback)).status).toBe(200);
    const location = text(registered.headers.get('location'), 'Location');
    expect(await call(location, credentials)).toMatchObject({ body: { state: 'active' } });
    expect((await call(location, credentials, { method: 'DELETE' })).status).toBe(204);
  });

  describe('a client that reads the descriptions of types alone', () =>
    // No bucket is started beside the overlays.
    independentClient(() => Promise.resolve({ origin: site.apiUrl, token: credentials.token, baseUrl: site.baseUrl }), {
      files: false,
    }));

  test('the tour and a third-party OAuth client work at the public hosts', async () => {
    const demo = await furnish(site, { email, password, token: credentials.token });
    const seen: string[] = [];
    await runTour(demo, ({ name }) => seen.push(name), world.receiver);
    expect(seen).toEqual(steps.map(({ name }) => name));
    for (const metadata of ['discovery', 'hosts'] as const) {
      const token = await authorizeWithOpenidClient(site, demo.accounts.wdc, metadata);
      const { data } = await query(site.graphqlUrl, { token, account: 'wdc' }, '{ me { name } }');
      expect([metadata, data]).toEqual([metadata, { me: { name: 'Howard Tanner' } }]);
    }
  });
});

describe('docker-compose.yml', () => {
  const port = 4100;
  const baseUrl = 'http://127.0.0.1:4000';
  const settings = [
    `BASE_URL=${baseUrl}`,
    `ACCOUNT_URL=${baseUrl}/accounts/{account}`,
    'ACCOUNT_HEADER_ALIASES=X-Brand-Account',
    'DELIVERY_HEADER_ALIASES=X-Brand',
  ];
  let compose: Compose;
  let receiver: Receiver;
  let token: string;
  beforeAll(async () => {
    compose = await startCompose(world.directory, settings);
    const socket = join(world.directory, 'receiver');
    receiver = await startReceiver({ listen: { path: socket }, uri: `http://localhost:${port}/webhook` });
    await compose.joinDelivery(socket, port);
  });
  afterAll(async () => {
    await receiver.close();
    expect(await compose.stop()).toEqual(deployables.map(() => 0));
  });

  test("its services with an operator's settings: the first account, its sign-in at the console, a verified webhook and the tour", async () => {
    const auth = compose.containers.get('auth');
    if (!auth) throw new Error('there is no auth');
    const site: Site = {
      baseUrl,
      apiUrl: baseUrl,
      authUrl: `${baseUrl}/oauth`,
      graphqlUrl: `${baseUrl}/graphql`,
      operate: (command, input) => auth.exec(command, input),
    };
    const command = documentedCommand("BOOTSTRAP_PASSWORD='a long password' docker compose run", ' auth ');
    expect(await compose.run('auth', command, { BOOTSTRAP_PASSWORD: password })).toMatchObject({ code: 0 });
    await expectSignIn(baseUrl, { email, password });
    token = await makeToken(site, email, password);
    const demo = await furnish(site, { email, password, token });
    const seen: string[] = [];
    await runTour(demo, ({ name }) => seen.push(name), receiver);
    expect(seen).toEqual(steps.map(({ name }) => name));
    const headers = { Authorization: `Bearer ${token}`, 'X-Brand-Account': 'wdc' };
    expect((await fetch(`${baseUrl}/v1/rate_limit`, { headers })).status).toBe(200);
    const named = receiver.received.flatMap(({ headers: sent }) => Object.keys(sent)).filter(isOfBrand);
    expect(named).not.toEqual([]);
  });

  describe('a client that reads the descriptions of types alone, with the folder for files', () =>
    independentClient(() => Promise.resolve({ origin: baseUrl, token })));

  test('settings.env overrides the defaults in every process', () => {
    for (const [name, { pid }] of compose.containers) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      const given = environment.filter((line) =>
        settings.some((setting) => line.startsWith(/^\w+=/.exec(setting)?.[0] ?? '')),
      );
      expect([name, given.sort()]).toEqual([name, [...settings].sort()]);
    }
  });
});

const isOfBrand = (name: string): boolean => name.startsWith('x-brand-');
