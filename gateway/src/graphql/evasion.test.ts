import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

interface Body {
  readonly data?: Record<string, unknown>;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
}

async function ask(request: object, token = gateway.auth.issue()) {
  const response = await gateway.post(token, request);
  const body = (await response.json()) as Body;
  return { response, body, codes: (body.errors ?? []).map(({ extensions }) => extensions['code']) };
}

const sized = 'query ($n: Int) { requests(first: $n) { nodes { requests(first: $n) { totalCount } } } }';

test('a page size in a variable is priced by its value, on every call of a cached document', async () => {
  const token = gateway.auth.issue();
  const costs: (string | null)[] = [];
  for (const n of [1, 1, 100, 1]) {
    const { response } = await ask({ query: sized, variables: { n } }, token);
    costs.push(response.headers.get('x-costlimit-remaining'));
  }
  expect(costs).toEqual(['4999', '4998', '4997', '4996']);
  const deep =
    'query ($n: Int) { requests(first: 100) { nodes { requests(first: $n) { nodes { requests(first: $n) { totalCount } } } } } }';
  for (const [n, code] of [
    [1, undefined],
    [1, undefined],
    [100, 'NODE_LIMIT_EXCEEDED'],
    [101, 'PAGE_SIZE_OUT_OF_RANGE'],
    [null, 'MISSING_PAGINATION'],
  ] as const) {
    expect((await ask({ query: deep, variables: { n } }, token)).codes[0]).toBe(code);
  }
  expect((await ask({ query: deep }, token)).codes[0]).toBe('MISSING_PAGINATION');
});

test('first and last together are refused in every form', async () => {
  for (const query of [
    '{ requests(last: 1, first: 100) { totalCount } }',
    'query ($a: Int = 1) { requests(last: $a, first: 100) { totalCount } }',
    'query ($a: Int = 1, $b: Int = 100) { requests(first: $b, last: $a) { totalCount } }',
  ])
    expect((await ask({ query })).codes).toEqual(['BAD_USER_INPUT']);
});

test.each(['toString', 'constructor', 'hasOwnProperty', '__proto__'])(
  'a variable named %s is no way past the page size or a condition',
  async (name) => {
    const paged = `query ($${name}: Int) { requests(first: $${name}) { totalCount } }`;
    expect((await ask({ query: paged })).codes).toEqual([
      name === '__proto__' ? 'BAD_USER_INPUT' : 'MISSING_PAGINATION',
    ]);
    const conditional = `query ($${name}: Boolean!) { me { id } requests @include(if: $${name}) { totalCount } }`;
    const variables = JSON.parse(`{"${name}":true}`) as object;
    const { codes, body } = await ask({ query: conditional, variables });
    expect(codes).toEqual([name === '__proto__' ? 'BAD_USER_INPUT' : 'MISSING_PAGINATION']);
    expect(body.data).toBeUndefined();
  },
);

test('a null condition does not hide fields from the price', async () => {
  for (const directive of ['skip', 'include']) {
    const query = `query ($c: Boolean = false) { me { id } requests @${directive}(if: $c) { totalCount } }`;
    expect((await ask({ query, variables: { c: null } })).codes).toEqual(['MISSING_PAGINATION']);
  }
});

test('operationName chooses what is priced and executed', async () => {
  const query = `query Small { me { id } }
    query Large { requests(first: 100) { nodes { requests(first: 100) { nodes { requests(first: 100) { totalCount } } } } } }`;
  const token = gateway.auth.issue();
  for (let sight = 0; sight < 3; sight += 1) {
    expect((await ask({ query, operationName: 'Small' }, token)).body).toEqual({ data: { me: { id: '1' } } });
    expect((await ask({ query, operationName: 'Large' }, token)).codes).toEqual(['NODE_LIMIT_EXCEEDED']);
  }
  expect((await ask({ query: `${query} mutation Create { requestCreate { request { id } } }` }, token)).codes).toEqual([
    'BAD_USER_INPUT',
  ]);
});

const create = 'requestCreate { request { id } }';
test.each([
  ['two fields of one name', `mutation { a: ${create} b: ${create} }`],
  ['a fragment', `mutation { ...F } fragment F on Mutation { a: ${create} b: ${create} }`],
  [
    'two fragments',
    `mutation { ...A ...B } fragment A on Mutation { a: ${create} } fragment B on Mutation { b: ${create} }`,
  ],
  ['an inline fragment', `mutation { a: ${create} ... on Mutation { b: ${create} } }`],
  ['@skip', `mutation { a: ${create} b: requestCreate @skip(if: true) { request { id } } }`],
  [
    '@skip by a variable',
    `mutation ($s: Boolean = true) { a: ${create} b: requestCreate @skip(if: $s) { request { id } } }`,
  ],
  [
    '@include by a variable',
    `mutation ($s: Boolean = false) { a: ${create} b: requestCreate @include(if: $s) { request { id } } }`,
  ],
])('two mutations are refused and nothing is executed: %s', async (_name, query) => {
  const before = gateway.executions();
  expect((await ask({ query })).codes).toEqual(['TOO_MANY_MUTATIONS']);
  expect(gateway.executions()).toBe(before);
});

test('one mutation may select __typename, and its payload is checked before it is executed', async () => {
  const { body } = await ask({ query: `mutation { __typename ${create} }` });
  expect(body).toEqual({ data: { __typename: 'Mutation', requestCreate: { request: { id: '3' } } } });
  const before = gateway.executions();
  const payload = 'mutation { requestCreate { request { requests(first: 101) { totalCount } } } }';
  expect((await ask({ query: payload })).codes).toEqual(['PAGE_SIZE_OUT_OF_RANGE']);
  expect(gateway.executions()).toBe(before);
});

test('no operation runs by GET, and batches are refused', async () => {
  const authorization = `Bearer ${gateway.auth.issue()}`;
  const before = gateway.executions();
  const query = encodeURIComponent(`mutation { ${create} }`);
  expect((await gateway.get(`/graphql?query=${query}`, { authorization, 'x-service-account': 'wdc' })).status).toBe(
    405,
  );
  const batch = [{ query: `mutation { ${create} }` }, { query: `mutation { ${create} }` }];
  expect((await gateway.post(gateway.auth.issue(), batch)).status).toBe(400);
  expect((await gateway.post(gateway.auth.issue(), [])).status).toBe(400);
  expect(gateway.executions()).toBe(before);
});

test('every rateLimit is priced: under an alias, in a fragment and in a mutation', async () => {
  const requests = (part: string) => `{ a: requests(first: 100) { nodes { requests(first: 1) { totalCount } } }
    b: requests(first: 46) { nodes { requests(first: 1) { totalCount } } } ${part} }`;
  const rateLimit = 'rateLimit { cost nodeCount }';
  for (const [part, cost] of [
    ['', '1'],
    [rateLimit, '1'],
    [`x: ${rateLimit} y: ${rateLimit}`, '2'],
    [`... on Query { x: ${rateLimit} ... on Query { y: ${rateLimit} } }`, '2'],
  ] as const) {
    const { response } = await ask({ query: requests(part) });
    expect(response.headers.get('x-costlimit-cost')).toBe(cost);
  }
});

test('rateLimit returns nodes and, when selected, the price of each connection, in agreement with the headers', async () => {
  const query = `query ($n: Int!) {
  all: requests(first: $n) {
    nodes { requests(last: 10) { edges { node { requests(first: 5) { totalCount } } } } }
  }
  rateLimit { limit cost remaining resetAt nodeCount breakdown { path field line column pageSize requests nodes } }
}`;
  const { response, body } = await ask({ query, variables: { n: 100 } });
  expect(body.data?.['rateLimit']).toEqual({
    limit: Number(response.headers.get('x-costlimit-limit')),
    cost: Number(response.headers.get('x-costlimit-cost')),
    remaining: Number(response.headers.get('x-costlimit-remaining')),
    resetAt: Number(response.headers.get('x-costlimit-reset')),
    nodeCount: 6_100,
    breakdown: [
      {
        path: 'all.nodes.requests.edges.node.requests',
        field: 'requests',
        line: 3,
        column: 49,
        pageSize: 5,
        requests: 1000,
        nodes: 5000,
      },
      { path: 'all.nodes.requests', field: 'requests', line: 3, column: 13, pageSize: 10, requests: 100, nodes: 1000 },
      { path: 'all', field: 'requests', line: 2, column: 3, pageSize: 100, requests: 1, nodes: 100 },
    ],
  });
  expect(response.headers.get('x-costlimit-cost')).toBe('11');
});

test('breakdowns cannot be used for a large answer', async () => {
  const aliases = (count: number) =>
    Array.from({ length: count }, (_, i) => `r${i}: rateLimit { breakdown { path requests } }`).join(' ');
  expect((await ask({ query: `{ ${aliases(10)} }` })).codes).toEqual([]);
  expect((await ask({ query: `{ ${aliases(300)} }` })).codes).toEqual(['REPETITION_LIMIT_EXCEEDED']);
});

test('a refusal names field, place, value, limit and the page size that fits', async () => {
  const query = `query ($n: Int = 100) {
  requests(first: $n) { nodes {
    requests(first: $n) { nodes {
      requests(first: 100) { totalCount } } } } } }`;
  expect((await ask({ query })).body).toEqual({
    errors: [
      {
        message: 'Individual calls cannot request more than 500,000 total nodes.',
        locations: [expect.anything()],
        extensions: {
          code: 'NODE_LIMIT_EXCEEDED',
          field: 'requests',
          line: expect.any(Number) as number,
          column: expect.any(Number) as number,
          value: 1_010_100,
          limit: 500_000,
          variable: 'n',
          largestPageSize: 70,
        },
      },
    ],
  });
  // The page size that the refusal suggests is accepted.
  expect((await ask({ query, variables: { n: 70 } })).codes).toEqual([]);
  expect((await ask({ query, variables: { n: 71 } })).codes).toEqual(['NODE_LIMIT_EXCEEDED']);
});
