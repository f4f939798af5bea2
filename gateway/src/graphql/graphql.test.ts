import { getIntrospectionQuery } from 'graphql';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const body = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

test('one query is answered from several services and the gateway', async () => {
  const query = `{
    me { id name }
    people(first: 5) { totalCount nodes { name } }
    requests(first: 2) { totalCount nodes { id subject account requestedBy { name } } }
    rateLimit { limit cost remaining resetAt }
  }`;
  const response = await gateway.post(gateway.auth.issue(), { query });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { data, errors } = await body(response);
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    me: { id: '1', name: 'Ada Administrator' },
    people: { totalCount: 1, nodes: [{ name: 'Ada' }] },
    requests: {
      totalCount: 2,
      nodes: [
        { id: '1', subject: 'Request 1', account: 'wdc', requestedBy: { name: 'Person 7' } },
        { id: '2', subject: 'Request 2', account: 'wdc', requestedBy: { name: 'Person 7' } },
      ],
    },
    rateLimit: { limit: 5000, cost: 1, remaining: 4999 },
  });
});

test('rateLimit and the headers of the same call agree', async () => {
  const token = gateway.auth.issue();
  for (const left of [4999, 4998]) {
    const response = await gateway.post(token, { query: '{ limits: rateLimit { limit cost remaining resetAt } }' });
    const { limits } = (await body(response))['data'] as { limits: Record<string, number> };
    expect(limits['remaining']).toBe(left);
    expect(['limit', 'cost', 'remaining', 'reset'].map((name) => response.headers.get(`x-costlimit-${name}`))).toEqual(
      ['limit', 'cost', 'remaining', 'resetAt'].map((name) => String(limits[name])),
    );
  }
});

test.each([
  ['a syntax fault', { query: '{ me {' }, 'GRAPHQL_PARSE_FAILED'],
  ['an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['a missing page size', { query: '{ requests { totalCount } }' }, 'MISSING_PAGINATION'],
  ['a page size of 101', { query: '{ requests(first: 101) { totalCount } }' }, 'PAGE_SIZE_OUT_OF_RANGE'],
  [
    'a page size of 101 in a variable',
    { query: 'query ($n: Int) { requests(first: $n) { totalCount } }', variables: { n: 101 } },
    'PAGE_SIZE_OUT_OF_RANGE',
  ],
  [
    'a variable of the wrong type',
    { query: 'query ($n: Int) { requests(first: $n) { totalCount } }', variables: { n: '5' } },
    'BAD_USER_INPUT',
  ],
  [
    'two mutations',
    { query: 'mutation { a: requestCreate { request { id } } b: requestCreate { request { id } } }' },
    'TOO_MANY_MUTATIONS',
  ],
  ['an unknown operation', { query: 'query A { me { id } }', operationName: 'B' }, 'BAD_USER_INPUT'],
  ['an open choice of operation', { query: 'query A { me { id } } query B { me { id } }' }, 'BAD_USER_INPUT'],
  [
    'a field selected again 599 times',
    { query: `{ ${Array.from({ length: 600 }, (_, i) => `a${i}: me { id }`).join(' ')} }` },
    'REPETITION_LIMIT_EXCEEDED',
  ],
  ['a subscription', { query: 'subscription { me { id } }' }, 'GRAPHQL_VALIDATION_FAILED'],
  [
    'fifteen levels',
    { query: `{ request(id: 1) ${'{ parent '.repeat(13)} { id } ${'}'.repeat(13)} }` },
    'DEPTH_LIMIT_EXCEEDED',
  ],
  [
    'a million nodes',
    {
      query:
        '{ requests(first: 100) { nodes { requests(first: 100) { nodes { requests(first: 100) { totalCount } } } } } }',
    },
    'NODE_LIMIT_EXCEEDED',
  ],
])('%s is refused with its code, without points and without execution', async (_name, request, code) => {
  const token = gateway.auth.issue();
  const before = gateway.executions();
  const legacy = await gateway.post(token, request);
  expect(legacy.status).toBe(200);
  expect(await body(legacy)).toMatchObject({ errors: [{ extensions: { code } }] });
  const modern = await gateway.post(token, request, { accept: 'application/graphql-response+json' });
  expect(modern.status).toBe(400);
  expect(modern.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
  expect(modern.headers.get('x-costlimit-cost')).toBe('0');
  expect(modern.headers.get('x-costlimit-remaining')).toBe('5000');
  expect(gateway.executions()).toBe(before);
});

test('the page size of a cached document is checked on every call', async () => {
  const token = gateway.auth.issue();
  const query = 'query ($n: Int) { requests(first: $n) { totalCount } }';
  expect(await body(await gateway.post(token, { query, variables: { n: 1 } }))).toHaveProperty('data');
  expect(await body(await gateway.post(token, { query, variables: { n: 101 } }))).toHaveProperty('errors');
});

test('a mutation is executed once', async () => {
  const query = 'mutation ($s: String) { requestCreate(subject: $s) { request { id subject } } }';
  const before = gateway.executions();
  const response = await gateway.post(gateway.auth.issue(), { query, variables: { s: 'Printer' } });
  expect(await body(response)).toEqual({ data: { requestCreate: { request: { id: '3', subject: 'Printer' } } } });
  expect(gateway.executions()).toBe(before + 1);
});

test('errors of a service keep message, path and code; its internal errors show no detail', async () => {
  const token = gateway.auth.issue();
  const missing = await body(await gateway.post(token, { query: '{ request(id: 1) { id } me { id } }' }));
  expect(missing).toEqual({
    data: { request: null, me: { id: '1' } },
    errors: [{ message: 'Not Found', path: ['request'], extensions: { code: 'NOT_FOUND' } }],
  });
  const fault = await body(await gateway.post(token, { query: '{ me { id supportID } }' }));
  expect(fault).toEqual({
    data: { me: { id: '1', supportID: null } },
    errors: [
      {
        message: 'Internal Server Error',
        path: ['me', 'supportID'],
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ],
  });
});

test.each([
  ['malformed JSON', '{"query"', {}, 400, 'Invalid JSON'],
  ['a batch', '[{"query":"{ me { id } }"}]', {}, 400, 'Batches are not supported: send one operation in each call'],
  ['no body', '', {}, 400, '`query` must be a GraphQL document'],
  ['a missing query', '{}', {}, 400, '`query` must be a GraphQL document'],
  ['a query that is no text', '{"query": 1}', {}, 400, '`query` must be a GraphQL document'],
  ['variables that are a list', '{"query":"{ me { id } }","variables":[]}', {}, 400, '`variables` must be an object'],
  [
    'another content type',
    '{ me { id } }',
    { 'content-type': 'application/graphql' },
    415,
    'Content-Type must be application/json',
  ],
  [
    'a body over the limit',
    JSON.stringify({ query: `{ me { id } } #${'x'.repeat(262_144)}` }),
    {},
    413,
    'Payload Too Large',
  ],
  ['an answer of no acceptable type', '{"query":"{ me { id } }"}', { accept: 'image/png' }, 406, 'Not Acceptable'],
  [
    'no account header',
    '{"query":"{ me { id } }"}',
    { 'x-service-account': '' },
    400,
    'Missing X-Service-Account header',
  ],
  ['a foreign account', '{"query":"{ me { id } }"}', { 'x-service-account': 'acme' }, 403, 'Forbidden'],
  ['a prototype as account', '{"query":"{ me { id } }"}', { 'x-service-account': '__proto__' }, 403, 'Forbidden'],
])('%s is refused', async (_name, text, headers, status, message) => {
  const response = await gateway.post(gateway.auth.issue(), text, headers);
  expect(response.status).toBe(status);
  expect(await body(response)).toMatchObject({
    message,
    errors: [{ message, extensions: { code: expect.any(String) as string } }],
  });
  expect(response.headers.get('x-costlimit-remaining')).toBe('5000');
});

test.each(['application/json', 'application/graphql-response+json'])(
  'a call that names a stored query is refused in %s because none are stored, and may send it',
  async (accept) => {
    const token = gateway.auth.issue();
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const named = await gateway.post(token, { extensions, variables: {} }, { accept });
    expect([named.status, named.headers.get('content-type')]).toEqual([200, `${accept}; charset=utf-8`]);
    expect(await body(named)).toEqual({
      errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
    });
    expect(named.headers.get('x-costlimit-cost')).toBe('0');
    const sent = await gateway.post(token, { extensions, query: '{ me { id } }' }, { accept });
    expect(await body(sent)).toEqual({ data: { me: { id: '1' } } });
    const neither = await gateway.post(token, { extensions: { persistedQuery: 'x' } });
    expect(neither.status).toBe(400);
  },
);

test.each([
  ['none', undefined],
  ['junk', 'junk'],
  ['a wrong checksum', `itsm_pat_${'a'.repeat(49)}`],
])('a token that is %s is 401 without asking auth', async (_name, token) => {
  const asked = gateway.auth.asked();
  const response = await gateway.post(token, { query: '{ me { id } }' });
  expect(response.status).toBe(401);
  expect(await body(response)).toEqual({
    message: 'Unauthorized',
    errors: [{ message: 'Unauthorized', extensions: { code: 'UNAUTHENTICATED' } }],
  });
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
  expect(gateway.auth.asked()).toBe(asked);
});

test('the schema is given by GET with a token and without an account', async () => {
  const authorization = `Bearer ${gateway.auth.issue()}`;
  const response = await gateway.get('/graphql/', { authorization });
  expect(response.status).toBe(200);
  expect(await body(response)).toMatchObject({ data: { __schema: { queryType: { name: 'Query' } } } });
  expect(response.headers.get('x-costlimit-cost')).toBe('0');
  const sdl = await gateway.get('/graphql', { authorization, accept: 'text/plain' });
  expect(await sdl.text()).toContain('type RateLimit');
  expect((await gateway.get('/graphql')).status).toBe(401);
});

test.each([
  ['GET', '?query={me{id}}', 'POST'],
  ['PUT', '', 'GET, POST'],
  ['PATCH', '', 'GET, POST'],
  ['DELETE', '', 'GET, POST'],
  ['OPTIONS', '', 'GET, POST'],
  ['PROPFIND', '', 'GET, POST'],
])('%s %s is not allowed, and a known caller gets the limits', async (method, query, allow) => {
  const ask = (headers: Record<string, string>) => fetch(`${gateway.url}/graphql${query}`, { method, headers });
  const known = await ask({ authorization: `Bearer ${gateway.auth.issue()}` });
  expect([known.status, known.headers.get('allow')]).toEqual([405, allow]);
  expect(['limit', 'cost', 'remaining'].map((name) => known.headers.get(`x-costlimit-${name}`))).toEqual([
    '5000',
    '0',
    '5000',
  ]);
  expect(Number(known.headers.get('x-costlimit-reset'))).toBeGreaterThan(1_700_000_000);
  expect(known.headers.get('x-ratelimit-remaining')).toBe('19');
  for (const headers of [{}, { authorization: 'Bearer junk' }, { authorization: `Bearer ${revoked()}` }]) {
    const unknown = await ask(headers);
    expect([unknown.status, unknown.headers.get('allow')]).toEqual([405, allow]);
    expect(unknown.headers.get('x-costlimit-limit')).toBeNull();
  }
});

function revoked(): string {
  const token = gateway.auth.issue();
  gateway.auth.revoke(token);
  return token;
}

test('names of prototype members are ordinary names', async () => {
  const token = gateway.auth.issue();
  const query = '{ __proto__: me { constructor: id __proto__: name } toString: me { id } }';
  const response = await gateway.post(token, { query });
  const { data } = (await response.json()) as { data: Record<string, Record<string, string>> };
  const members = Object.entries(data).map(([name, person]) => [name, ...Object.entries(person).flat()].join(' '));
  expect(members).toEqual(['__proto__ constructor 1 __proto__ Ada Administrator', 'toString id 1']);
  const variables = '{"__proto__":{"n":100},"constructor":1}';
  const text = `{"query":"query ($n: Int) { requests(first: $n) { totalCount } }","variables":${variables}}`;
  expect(await body(await gateway.post(token, text))).toMatchObject({
    errors: [{ extensions: { code: 'MISSING_PAGINATION' } }],
  });
  expect(
    await body(await gateway.post(token, { query: 'query A { me { id } }', operationName: '__proto__' })),
  ).toMatchObject({
    errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
  });
});

test("GraphiQL's own introspection query is answered", async () => {
  const response = await gateway.post(gateway.auth.issue(), { query: getIntrospectionQuery() });
  expect(await body(response)).toMatchObject({ data: { __schema: { queryType: { name: 'Query' } } } });
  expect(response.headers.get('x-costlimit-cost')).toBe('1');
});

test('the refusal of a document that is too large says how large it may be', async () => {
  const response = await gateway.post(gateway.auth.issue(), { query: `{ me { ${'id '.repeat(10_000)} } }` });
  expect(await body(response)).toMatchObject({
    errors: [
      {
        message: 'The document has more than 10,000 tokens.',
        extensions: { code: 'GRAPHQL_PARSE_FAILED', limit: 10_000 },
      },
    ],
  });
});
