import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

interface Body {
  readonly data: { readonly requests: { readonly nodes: Record<string, unknown>[] } };
  readonly errors?: { readonly path: unknown[] }[];
}

async function ask(query: string, operationName?: string): Promise<Body> {
  const response = await gateway.post(gateway.auth.issue(), { query, ...(operationName && { operationName }) });
  return (await response.json()) as Body;
}

const keys = Array.from({ length: 60 }, (_, i) => `key${i}`);
const references = keys.map((key) => `${key}: requestedBy { name }`).join(' ');

test.each([
  ['without a name', `{ requests(first: 2) { nodes { ${references} } } }`, undefined],
  ['with a name', `query Q { requests(first: 2) { nodes { ${references} } } }`, 'Q'],
])('a person referred to at 120 places is resolved once, %s', async (_name, query, operationName) => {
  const before = gateway.resolvedPeople();
  const { data, errors } = await ask(query, operationName);
  expect(errors).toBeUndefined();
  const all = Object.fromEntries(keys.map((key) => [key, { name: 'Person 7' }]));
  expect(data.requests.nodes).toEqual([all, all]);
  expect(gateway.resolvedPeople()).toBe(before + 1);
});

test('different fields of one person at several places stay apart', async () => {
  const { data } = await ask(`{ requests(first: 2) { nodes {
    a: requestedBy { name } b: requestedBy { id alias: name } c: requestedBy { __proto__: name }
  } } }`);
  const node = {
    a: { name: 'Person 7' },
    b: { id: '7', alias: 'Person 7' },
    c: JSON.parse('{"__proto__":"Person 7"}') as unknown,
  };
  expect(data.requests.nodes).toStrictEqual([node, node]);
  expect(data.requests.nodes.map(({ c }) => Object.keys(c as object))).toEqual([['__proto__'], ['__proto__']]);
});

test('the error of an entity is reported at each of its places', async () => {
  const { data, errors } = await ask(
    '{ requests(first: 2) { nodes { a: requestedBy { id supportID } b: requestedBy { id supportID } } } }',
  );
  const none = { id: '7', supportID: null };
  expect(data.requests.nodes).toEqual([
    { a: none, b: none },
    { a: none, b: none },
  ]);
  expect(errors?.map(({ path }) => path.join('.')).sort()).toEqual([
    'requests.nodes.0.a.supportID',
    'requests.nodes.0.b.supportID',
    'requests.nodes.1.a.supportID',
    'requests.nodes.1.b.supportID',
  ]);
});

test('a service that cannot resolve entities nulls their fields, with one error', async () => {
  await ask('{ me { id } }');
  const token = gateway.auth.issue();
  await gateway.post(token, { query: '{ me { id } }' });
  await gateway.post(token, { query: '{ me { id } }' });
  await gateway.authServer.stop();
  const response = await gateway.post(token, {
    query: '{ requests(first: 1) { nodes { subject a: requestedBy { name } b: requestedBy { name } } } }',
  });
  await gateway.authServer.start();
  const { data, errors } = (await response.json()) as Body;
  expect(data.requests.nodes).toEqual([{ subject: 'Request 1', a: null, b: null }]);
  expect(errors).toHaveLength(1);
});
