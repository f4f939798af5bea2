import { register } from 'prom-client';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { accountRevision, writeRevision } from '@itsm/shared/stores/coordination/coordination';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { executorNames } from '../testing/start-executors';

const query = 'query Page($first: Int!) { requests(first: $first) { nodes { subject account } } }';
const page = { query, variables: { first: 2 } };
const create = { query: 'mutation { requestCreate(subject: "New") { request { id } } }' };

async function joinedSoFar(): Promise<number> {
  const { values = [] } = (await register.getSingleMetric('gateway_joined_queries_total')?.get()) ?? {};
  return values[0]?.value ?? 0;
}

describe.each(executorNames)('equal queries under way, with the executor %s', (EXECUTOR) => {
  let gateway: StartedGateway;
  let lines: string[] = [];
  beforeAll(async () => {
    const logger = createLogger('gateway', 'info', (line) => lines.push(line));
    gateway = await startGateway({ env: { EXECUTOR }, logger });
  });
  let releaseLast = (): void => undefined;
  afterEach(() => releaseLast());
  afterAll(() => gateway.close());

  /** A caller whose token and revisions the gateway has cached, which takes two calls. */
  async function issue(): Promise<string> {
    const token = gateway.auth.issue({ accounts: { wdc: ['specialist'], acme: ['specialist'] } });
    for (const first of [1, 1]) expect((await gateway.post(token, { query, variables: { first } })).status).toBe(200);
    return token;
  }

  /** Services hold back their answers until `release`; `fetches` counts the requests since then. */
  function hold() {
    const release = (releaseLast = gateway.graph.hang());
    const before = gateway.graph.asked();
    return { release, fetches: () => gateway.graph.asked() - before };
  }

  const fetchesBecome = ({ fetches }: { fetches: () => number }, count: number) =>
    waitUntil(`${count} fetches`, () => fetches() === count);

  /** Sends two equal calls, of which the second joins the first; each client can disconnect. */
  async function sendTwo(token: string, held: { fetches: () => number }) {
    const controllers = [new AbortController(), new AbortController()] as const;
    const send = ({ signal }: AbortController): Promise<number> =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-account': 'wdc', authorization: `Bearer ${token}` },
        body: JSON.stringify(page),
        signal,
      }).then(
        ({ status }) => status,
        () => 0,
      );
    const first = send(controllers[0]);
    await fetchesBecome(held, 1);
    const before = await joinedSoFar();
    const second = send(controllers[1]);
    await waitUntil('a joined query', async () => (await joinedSoFar()) === before + 1);
    lines = [];
    return { statuses: Promise.all([first, second]), leave: (index: 0 | 1) => controllers[index].abort() };
  }

  const callEnds = (count: number) =>
    waitUntil('the end of a call', () => lines.filter((line) => line.includes('"message":"request"')).length === count);

  test('are executed once; each is counted and charged separately, and reports its own limits', async () => {
    const token = await issue();
    const held = hold();
    const sent = [gateway.post(token, page)];
    await fetchesBecome(held, 1);
    const before = await joinedSoFar();
    sent.push(gateway.post(token, page), gateway.post(token, page));
    await waitUntil('joined queries', async () => (await joinedSoFar()) === before + 2);
    held.release();
    const answers = await Promise.all(sent);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(held.fetches()).toBe(1);
    expect(bodies[0]).toContain('Request 2');
    expect(new Set(bodies).size).toBe(1);
    for (const header of ['x-ratelimit-remaining', 'x-costlimit-remaining', 'x-request-id'])
      expect(new Set(answers.map(({ headers }) => headers.get(header))).size).toBe(3);

    await gateway.post(token, page);
    expect(held.fetches()).toBe(2);
  });

  test.each<[string, object, Record<string, string>]>([
    ['variables', { query, variables: { first: 1 } }, {}],
    ['account', page, { 'x-service-account': 'acme' }],
    ['language', page, { 'accept-language': 'de' }],
    ['document', { ...page, query: query.replace('subject', 'id') }, {}],
  ])('of another %s are executed by themselves', async (_what, body, headers) => {
    const token = await issue();
    const held = hold();
    const sent = [gateway.post(token, page), gateway.post(token, body, headers)];
    await fetchesBecome(held, 2);
    held.release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('of another caller, with an operation name, or with rateLimit, are executed by themselves', async () => {
    const [token, other] = [await issue(), await issue()];
    const held = hold();
    const personal = { query: '{ rateLimit { remaining } requests(first: 1) { totalCount } }' };
    const named = { query: `${query} query Other { __typename }`, variables: { first: 2 }, operationName: 'Page' };
    const sent = [page, page, personal, personal, create, create, named].map((body, index) =>
      gateway.post(index === 1 ? other : token, body),
    );
    await fetchesBecome(held, sent.length);
    held.release();
    const answers = await Promise.all(sent);
    const remaining = await Promise.all(
      answers.slice(2, 4).map(async (answer) => {
        const { data } = (await answer.json()) as { data: { rateLimit: { remaining: number } } };
        return data.rateLimit.remaining;
      }),
    );
    expect(new Set(remaining).size).toBe(2);
  });

  test.each([0, 1] as const)('continue when client %s of two has disconnected', async (leaver) => {
    const token = await issue();
    const held = hold();
    const abandoned = gateway.graph.abandoned();
    const { statuses, leave } = await sendTwo(token, held);
    leave(leaver);
    await callEnds(1);
    held.release();
    expect(await statuses).toEqual(leaver === 0 ? [0, 200] : [200, 0]);
    expect([held.fetches(), gateway.graph.abandoned() - abandoned]).toEqual([1, 0]);
  });

  test('are aborted when all clients have disconnected; the next one is executed again', async () => {
    const token = await issue();
    const held = hold();
    const abandoned = gateway.graph.abandoned();
    const { statuses, leave } = await sendTwo(token, held);
    leave(0);
    leave(1);
    expect(await statuses).toEqual([0, 0]);
    await waitUntil('the end of the fetch', () => gateway.graph.abandoned() === abandoned + 1);
    const next = gateway.post(token, page);
    await fetchesBecome(held, 2);
    held.release();
    expect((await next).status).toBe(200);
  });

  test('fail for each waiting client', async () => {
    const token = await issue();
    const held = hold();
    const { statuses } = await sendTwo(token, held);
    await gateway.graph.stop();
    expect(await statuses).toEqual([503, 503]);
    held.release();
    await gateway.graph.start();
    await waitUntil('the service', async () => (await gateway.post(gateway.auth.issue(), page)).status === 200);
  });

  test('a revoked token joins nothing; its earlier calls are answered', async () => {
    const token = await issue();
    const held = hold();
    const early = gateway.post(token, page);
    await fetchesBecome(held, 1);
    gateway.auth.revoke(token);
    await gateway.coordination.bump([accountRevision('wdc')]);
    expect((await gateway.post(token, page)).status).toBe(401);
    held.release();
    expect((await early).status).toBe(200);
  });

  test('a query from before a change is not joined after it', async () => {
    const token = await issue();
    const held = hold();
    const sent = [gateway.post(token, page)];
    await fetchesBecome(held, 1);
    const authorization = `Bearer ${token}`;
    const headers = { authorization, 'x-service-account': 'wdc', 'content-type': 'application/json' };
    const changed = await fetch(`${gateway.url}/v1/webhooks`, { method: 'POST', headers, body: '{}' });
    expect(changed.status).toBe(200);
    sent.push(gateway.post(token, page));
    await fetchesBecome(held, 2);
    held.release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);

    const writes = async () => (await gateway.coordination.take([], [writeRevision('wdc')])).revisions[0];
    const before = await writes();
    await gateway.post(token, create);
    const after = await writes();
    expect(after).not.toBe(before);
    await gateway.post(token, page);
    expect(await writes()).toBe(after);
  });
});
