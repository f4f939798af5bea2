import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@itsm/shared/base/time/clock';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { openBrowser, startWithConsole } from './testing/console-browser';
import type { StartedPlatform } from './testing/console-browser';

/** Seconds by which the clock of a part is wrong. */
const wrongBy = new Map<string, number>();
/** Windows of calls are by the clock of coordination: what a client waits for them. */
let waited = 0;
const clockOf = (part: string) => () =>
  new Date(systemClock().getTime() + (wrongBy.get(part) ?? 0) * 1_000 + (part === 'coordination' ? waited : 0));

interface Delivered {
  readonly event: string;
  readonly object_nodeID?: string;
  readonly payload: { readonly callback?: string };
}
const delivered: Delivered[] = [];
const receiver = createServer((req, res) => {
  let text = '';
  req.on('data', (chunk: Buffer) => (text += chunk.toString()));
  req.on('end', () => {
    delivered.push(JSON.parse(text) as Delivered);
    res.end();
  });
});

let started: StartedPlatform;
beforeAll(async () => {
  started = await startWithConsole({}, clockOf);
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const uri = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  expect((await call('/v1/webhooks/', { event: 'request.create', uri })).status).toBe(201);
  const callback = () => delivered.find(({ event }) => event === 'webhook.verify')?.payload.callback;
  await waitUntil('the callback', () => callback() !== undefined);
  expect((await fetch(callback() ?? '')).status).toBe(200);
});
afterEach(() => wrongBy.clear());
afterAll(async () => {
  await started.close();
  receiver.close();
});

const administrator = () => started.demo.accounts.wdc.administrator;

/**
 * The faster the machine, the sooner the window of calls is full; a refused call had no effect. Calls of a clock that was
 * ahead fill it for as long as it was.
 */
async function call(path: string, body?: object): Promise<Response> {
  for (;;) {
    const answer = await fetch(started.baseUrl + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${administrator().personal_access_token}`,
        'x-service-account': 'wdc',
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status !== 429) return answer;
    waited += 2_000;
  }
}

interface Answer {
  readonly data?: { readonly requestCreate?: { readonly request: { readonly id: string } | null } | null } | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

const ask = async (query: string): Promise<Answer> => (await (await call('/graphql', { query })).json()) as Answer;

/** Reads something of every service; the codes of the errors, each once. */
async function codesOfReads(): Promise<string[]> {
  const pages = ['people', 'requests', 'webhooks', 'uiExtensions'].map((one) => `${one}(first: 1) { nodes { id } }`);
  const { errors = [] } = await ask(`{ ${pages.join(' ')} }`);
  const rest = await call('/v1/webhook_deliveries?per_page=1');
  const codes = errors.map(({ extensions }) => extensions.code);
  if (rest.status !== 200) codes.push(String(rest.status));
  return [...new Set(codes)];
}

/** Creates a request, and waits for its delivery; false if it could not be created. */
async function isDelivered(): Promise<boolean> {
  const { data } = await ask('mutation { requestCreate(input: { subject: "On time" }) { request { id } } }');
  const id = data?.requestCreate?.request?.id;
  if (id === undefined) return false;
  await waitUntil('the delivery', () => delivered.some((one) => one.object_nodeID === id));
  return true;
}

const parts = ['gateway', 'auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions', 'console', 'coordination'];
const everyWay = parts.flatMap((part) => [-600, 600].map((seconds) => [part, seconds] as const));

/** A service that is ahead of auth by more than the tolerance takes the tokens inside the platform for expired ones. */
const refusing: Readonly<Record<string, readonly string[]>> = {
  'auth -600': ['SERVICE_UNAVAILABLE', '503'],
  'graph 600': ['SERVICE_UNAVAILABLE'],
  'webhooks 600': ['SERVICE_UNAVAILABLE'],
  'webhook-delivery 600': ['503'],
  'ui-extensions 600': ['SERVICE_UNAVAILABLE'],
};

/**
 * Signs in at the console, reads, signs out, and uses the session again. Signing out also makes the gateway ask auth
 * again for all callers of the account, so that none has a token from before the clock was wrong.
 */
async function useSession(): Promise<void> {
  const browser = openBrowser(started.baseUrl);
  await browser.signIn(administrator());
  expect((await browser.graphql('{ me { name } }')).status).toBe(200);
  const kept = browser.jar.get('console') ?? '';
  expect((await browser.call('/console/sign-out', { method: 'POST' })).status).toBe(204);
  browser.jar.set('console', kept);
  expect((await browser.graphql('{ me { name } }')).status).toBe(401);
}

test.each(everyWay)(
  'with %s %d s wrong people sign in, a good token is no 401, a revoked one is, and webhooks are delivered',
  async (part, seconds) => {
    wrongBy.set(part, seconds);
    await useSession();
    expect(await codesOfReads()).toEqual(refusing[`${part} ${seconds}`] ?? []);
    const mayCreate = !['auth -600', 'graph 600'].includes(`${part} ${seconds}`);
    expect(await isDelivered()).toBe(mayCreate);

    // The token outlives it.
    wrongBy.clear();
    await useSession();
    expect(await codesOfReads()).toEqual([]);
    expect(await isDelivered()).toBe(true);
  },
);
