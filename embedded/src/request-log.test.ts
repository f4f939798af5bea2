import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startWithConsole } from './testing/console-browser';
import type { StartedPlatform } from './testing/console-browser';

let started: StartedPlatform;
beforeAll(async () => {
  started = await startWithConsole();
});
afterAll(() => started.close());

interface Line {
  readonly service: string;
  readonly level: string;
  readonly message: string;
  readonly requestId?: string;
  readonly accountId?: string;
  readonly method?: string;
  readonly path?: string;
}

const lines = (): Line[] =>
  started
    .log()
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as Line);

/** The lines of the call that got this answer, when there are as many as expected: who wrote them, at which level, of which path. */
async function linesOf(answer: Response, count: number): Promise<string[]> {
  const requestId = answer.headers.get('x-request-id');
  const found = () =>
    lines().filter((line) => line.requestId === requestId && ['call', 'request'].includes(line.message));
  await waitUntil('the lines of a call', () => found().length >= count);
  return found()
    .map(({ service, level, accountId = '-', path }) => `${service} ${level} ${accountId} ${path}`)
    .sort();
}

test('every service that takes part in a call has a line with the id of the gateway, successes too', async () => {
  const { personal_access_token: token, email, name } = started.demo.accounts.wdc.administrator;
  const headers = { authorization: `Bearer ${token}`, 'x-service-account': 'wdc', 'content-type': 'application/json' };
  const query = 'query Both { me { name } requests(first: 1) { totalCount } }';
  const asked = { method: 'POST', headers, body: JSON.stringify({ query }) };
  const answer = await fetch(`${started.baseUrl}/graphql`, asked);
  expect(answer.status).toBe(200);
  expect(await linesOf(answer, 4)).toEqual([
    'auth info - /internal/introspect',
    'auth info wdc /graphql',
    'gateway info wdc /graphql',
    'graph info wdc /graphql',
  ]);
  const people = await fetch(`${started.baseUrl}/v1/people?primary_email=${email}`, { headers });
  expect(people.status).toBe(200);
  expect(await linesOf(people, 3)).toEqual([
    'auth info - /internal/introspect',
    'auth info wdc /v1/people',
    'gateway info wdc /v1/people',
  ]);
  const own = lines().filter(({ service, message, requestId }) => {
    return service === 'gateway' && message === 'request' && requestId === people.headers.get('x-request-id');
  });
  expect(own).toHaveLength(1);
  const ofCalls = started
    .log()
    .split('\n')
    .filter((line) => /"message":"(?:call|request)"/.test(line));
  for (const kept of [email, name, token, 'totalCount']) expect(ofCalls.join()).not.toContain(kept);
});

test('calls of the platform itself, such as those for schemas, are only in a detailed log', () => {
  const polls = lines().filter(
    ({ message, method, path }) => message === 'call' && method === 'GET' && path === '/graphql',
  );
  expect(new Set(polls.map(({ level }) => level))).toEqual(new Set(['debug']));
});
