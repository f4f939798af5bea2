import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { costWindowOf } from './windows';

let time = new Date('2026-03-18T19:04:06Z');
const now = () => time;
let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway({ now, coordination: createMemoryCoordination({ now }) });
});
afterAll(() => gateway.close());

const query = { query: '{ me { id } }' };
const forever = { exp: 4_102_444_800 };
const issue = (limitKey?: string) => gateway.auth.issue(forever, limitKey);
const rest = (token: string, path = '/v1/webhooks') =>
  gateway.get(path, { authorization: `Bearer ${token}`, 'x-service-account': 'wdc' });

test('of 40 concurrent calls exactly 20 are let through, over GraphQL and REST together', async () => {
  const token = issue();
  const answers = await Promise.all(Array.from({ length: 20 }, () => [gateway.post(token, query), rest(token)]).flat());
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
});

test('the 21st call within two seconds is the specified 429, and a later one is let through', async () => {
  const token = issue();
  for (let left = 19; left >= 0; left -= 1) {
    const response = await gateway.post(token, query);
    expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([200, String(left)]);
  }
  const refused = await gateway.post(token, query);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(refused.headers.get('x-ratelimit-reset')).toBe(String(time.getTime() / 1000 + 2));
  expect(refused.headers.get('x-costlimit-remaining')).toBe('4980');
  expect(await refused.json()).toEqual({
    documentationUrl: 'http://localhost:4000/docs/limits',
    message: 'Too Many Requests',
    retryAfter: 2,
    errors: [{ message: 'Too Many Requests', extensions: { code: 'RATE_LIMITED' } }],
  });
  const refusedRest = await rest(token);
  expect(refusedRest.status).toBe(429);
  expect(refusedRest.headers.get('retry-after')).toBe('2');
  expect(await refusedRest.json()).toEqual({
    message: 'Too Many Requests',
    documentation_url: 'http://localhost:4000/docs/limits',
    retry_after: 2,
  });
  time = new Date(time.getTime() + 2_000);
  expect((await gateway.post(token, query)).status).toBe(200);
});

test.each([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['image/png', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
])('the 429 of a client that accepts %s is %s', async (accept, type) => {
  const token = issue(`accepts ${accept}`);
  for (let call = 0; call < 20; call += 1) await rest(token);
  const refused = await gateway.post(token, query, { accept });
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, `${type}; charset=utf-8`]);
  expect(await refused.json()).toMatchObject({ retryAfter: 2, errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
});

test('a refused call is not counted, and rate_limit reads without counting', async () => {
  const token = issue();
  for (let call = 0; call < 22; call += 1) await rest(token);
  const response = await rest(token, '/v1/rate_limit');
  expect(response.status).toBe(200);
  const seconds = time.getTime() / 1000;
  expect(await response.json()).toEqual({
    requests: [
      { seconds: 2, limit: 20, remaining: 0, reset: seconds + 2 },
      { seconds: 3600, limit: 3600, remaining: 3580, reset: seconds + 3600 },
    ],
    cost: { seconds: 3600, limit: 5000, remaining: 5000, reset: seconds + 3600 },
  });
});

test('two tokens with one key share their windows, other keys have their own', async () => {
  const [one, two] = [issue('application:1:person:1'), issue('application:1:person:1')];
  for (let call = 0; call < 20; call += 1) await rest(one);
  expect((await rest(two)).status).toBe(429);
  expect((await rest(issue('person:1'))).status).toBe(200);
});

test('a call that costs more than the points left is 200 with the specified error, executes nothing and costs nothing', async () => {
  const token = issue('poor');
  await gateway.coordination.take([costWindowOf('poor', 4_999)], []);
  const dear = `{ requests(first: 100) { nodes { requests(first: 100) { nodes { requests(first: 1) { totalCount } } } } } }`;
  const before = gateway.executions();
  const response = await gateway.post(token, { query: dear });
  expect(response.status).toBe(200);
  const resetAt = time.getTime() / 1000 + 3600;
  expect(await response.json()).toEqual({
    errors: [
      {
        message: 'The call costs 101 points and 1 are left in this window.',
        locations: [{ line: 1, column: 3 }],
        documentationUrl: 'http://localhost:4000/docs/limits',
        rateLimit: { limit: 5000, cost: 101, remaining: 1, resetAt },
        extensions: {
          code: 'COST_LIMIT_EXCEEDED',
          value: 101,
          limit: 1,
          field: 'requests',
          largestPageSize: 1,
          line: 1,
          column: 3,
        },
      },
    ],
  });
  expect(response.headers.get('x-costlimit-remaining')).toBe('1');
  expect(gateway.executions()).toBe(before);
  const last = await gateway.post(token, query);
  expect(last.headers.get('x-costlimit-remaining')).toBe('0');
});

test('when the points suffice for one call only, one of two passes', async () => {
  const token = issue('shared');
  await gateway.coordination.take([costWindowOf('shared', 4_850)], []);
  const dear = `{ requests(first: 100) { nodes { requests(first: 100) { nodes { requests(first: 1) { totalCount } } } } } }`;
  const answers = await Promise.all([1, 2].map(() => gateway.post(token, { query: dear })));
  const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { errors?: unknown }[];
  expect(bodies.filter(({ errors }) => errors === undefined)).toHaveLength(1);
});

test('the documentation URL exists', async () => {
  const response = await gateway.get('/docs/limits');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('Requests: 20 in 2 seconds');
});
