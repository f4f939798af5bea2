import { overlayNames } from '../../../deploy/rendered';
import { deployables } from '../service-processes';
import { call, query } from '../tour/api';
import { members, text } from '../tour/expect';
import type { Receiver } from '../tour/receiver';
import { runTour, steps } from '../tour/run-tour';
import type { Cluster } from './cluster';
import { documentedCommand } from './operations-page';
import { furnish, makeToken } from './site';
import type { Credentials, Site } from './site';
import { startWorld } from './world';
import type { World } from './world';

const email = 'howard.tanner@widget.example';
const password = 'correct horse battery staple';
const inFull = 'production-au';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 180_000);
afterAll(() => world.close());

/** The addresses that docs/operations.md gives for a deployment at the host that its gateway is told. */
function siteOf({ manifests, pods }: Cluster): Site {
  const settings = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('gateway-'));
  const baseUrl = text(settings?.data?.['BASE_URL'], 'BASE_URL');
  const at = (name: string) => baseUrl.replace('https://', `https://${name}.`);
  const auth = pods.get('auth');
  if (!auth) throw new Error('there is no pod of auth');
  return {
    ...{ baseUrl, apiUrl: at('api'), authUrl: at('oauth'), graphqlUrl: `${at('graphql')}/` },
    operate: (command, input) => auth.exec(command, input),
  };
}

/** The first account, made with the command of docs/operations.md; its administrator makes a token on the page. */
async function openAccount(site: Site): Promise<Credentials> {
  const command = documentedCommand('kubectl -n itsm-production-au exec -i deploy/auth', 'deploy/auth -- ');
  expect(await site.operate(command, password)).toMatchObject({ code: 0 });
  return { token: await makeToken(site, email, password), account: 'wdc' };
}

/** Registers a webhook, follows the callback as it is given, and finds it active where the answer said that it is. */
async function verifyWebhook({ apiUrl }: Site, credentials: Credentials, receiver: Receiver): Promise<string> {
  const webhook = { event: 'request.create', uri: receiver.uri };
  const registered = await call(`${apiUrl}/v1/webhooks`, credentials, { method: 'POST', json: webhook });
  expect(registered).toMatchObject({ status: 201, body: { state: 'unverified' } });
  const { nodeID } = members(registered.body, 'the webhook');
  const verify = await receiver.next(
    ({ body }) => body['event'] === 'webhook.verify' && body['webhook_nodeID'] === nodeID,
    20_000,
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

/** A request made at the root of the GraphQL host is told to the webhook. */
async function hearOfRequest({ graphqlUrl }: Site, credentials: Credentials, receiver: Receiver) {
  const create = 'mutation { requestCreate(input: { subject: "Deployed" }) { request { id } errors { message } } }';
  const { data } = await query(graphqlUrl, credentials, create);
  const { request } = members(data['requestCreate'], 'requestCreate');
  const { id } = members(request, 'request');
  return receiver.next(({ body }) => body['object_nodeID'] === id, 20_000);
}

test.each(overlayNames.filter((name) => name !== inFull))(
  '%s as rendered becomes ready, has an account made, and a webhook verified and called',
  async (overlay) => {
    const cluster = await world.deploy(overlay);
    try {
      const site = siteOf(cluster);
      const credentials = await openAccount(site);
      const callback = await verifyWebhook(site, credentials, world.receiver);
      expect(new URL(callback).origin).toBe(site.baseUrl.replace('https://', 'https://wdc.'));
      await hearOfRequest(site, credentials, world.receiver);
    } finally {
      expect(await cluster.stop()).toEqual(deployables.map(() => 0));
      await world.engines.empty();
    }
  },
);

describe(`${inFull} as rendered, in full`, () => {
  let cluster: Cluster;
  let site: Site;
  let credentials: Credentials;
  beforeAll(async () => {
    cluster = await world.deploy(inFull);
    site = siteOf(cluster);
    credentials = await openAccount(site);
  }, 120_000);
  afterAll(async () => {
    await cluster.stop();
    await world.engines.empty();
  });

  test('the tour, at the hosts that clients have', async () => {
    const demo = await furnish(site, { email, password, token: credentials.token });
    const seen: string[] = [];
    await runTour(demo, ({ name }) => seen.push(name), world.receiver);
    expect(seen).toEqual(steps.map(({ name }) => name));
  });
});
