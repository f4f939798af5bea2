import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Answer } from '@itsm/shared/pricing/price-document';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

const entry = `
  import { buildSchema } from 'graphql';
  import { priceDocument } from '@itsm/shared/pricing/price-document';
  globalThis.price = (sdl, query, variables) =>
    JSON.stringify(priceDocument({ schema: buildSchema(sdl), query, variables, operationName: undefined }));`;

let script: string;
let gateway: StartedGateway;
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: __dirname },
    bundle: true,
    minify: true,
    platform: 'browser',
    conditions: ['@itsm/source'],
    write: false,
  });
  script = outputFiles[0]?.text ?? '';
  gateway = await startGateway();
});
afterAll(() => gateway.close());

/** Runs the bundle in a context with nothing but the language's built-ins, and returns its answer. */
async function priceInBrowser(query: string, variables: object): Promise<Answer> {
  const text = await gateway.get('/graphql', {
    authorization: `Bearer ${gateway.auth.issue()}`,
    accept: 'text/plain',
  });
  const realm = createContext({});
  runInContext(script, realm);
  const { price } = realm as { price: (sdl: string, query: string, variables: object) => string };
  return JSON.parse(price(await text.text(), query, variables)) as Answer;
}

const nested = `query ($first: Int = 100) {
  requests(first: $first) { nodes { parent { requests(last: 50) { totalCount } } requests(first: 90) { totalCount } } }
  rateLimit { cost nodeCount breakdown { path line pageSize requests nodes } }
}`;

test.each([
  ['{ requests(first: 7) { totalCount } rateLimit { cost nodeCount breakdown { path line requests } } }', {}],
  [nested, {}],
  [nested, { first: 3 }],
])("the price in the browser equals the gateway's: %s", async (query, variables) => {
  const response = await gateway.post(gateway.auth.issue(), { query, variables });
  const { data } = (await response.json()) as {
    data: { rateLimit: { cost: number; nodeCount: number; breakdown: readonly object[] } };
  };
  const answer = await priceInBrowser(query, variables);
  const { cost, nodeCount, breakdown } = data.rateLimit;
  expect(answer).toMatchObject({ kind: 'priced', price: { cost, nodes: nodeCount } });
  expect(response.headers.get('x-costlimit-cost')).toBe(String(cost));
  expect(answer.breakdown).toHaveLength(breakdown.length);
  for (const each of breakdown) expect(answer.breakdown).toContainEqual(expect.objectContaining(each));
});

const tooManyNodes = `{ requests(first: 100) {
  nodes { requests(first: 100) { nodes { requests(first: 60) { totalCount } } } } } }`;

test.each([
  ['too many nodes', tooManyNodes, {}],
  ['no page size', '{ requests { totalCount } }', {}],
  ['too large a page', 'query ($n: Int) { requests(first: $n) { totalCount } }', { n: 101 }],
  ['an unknown field', '{ nothing }', {}],
  ['no value for a variable', 'query ($n: Int!) { requests(first: $n) { totalCount } }', {}],
  ['null as a condition', 'query ($c: Boolean = true) { me { id @include(if: $c) } }', { c: null }],
  ['no operation', 'query A { me { id } } query B { me { id } }', {}],
  ['a fault of syntax', '{ requests(', {}],
  ['too many tokens', `{ ${'me { id } '.repeat(2_501)} }`, {}],
])("the browser predicts the gateway's refusal: %s", async (_name, query, variables) => {
  const response = await gateway.post(gateway.auth.issue(), { query, variables });
  const { errors } = (await response.json()) as { errors: readonly object[] };
  const answer = await priceInBrowser(query, variables);
  expect(answer).toMatchObject({ kind: 'refused', errors });
});

test('the bundle is small', () => {
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(42 * 1024);
});
