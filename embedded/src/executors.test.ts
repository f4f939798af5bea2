import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { buildClientSchema, lexicographicSortSchema, parse, printSchema, validate } from 'graphql';
import type { GraphQLFormattedError, GraphQLSchema, IntrospectionQuery } from 'graphql';
import { inOrder } from '@itsm/shared/testing/in-order';
import type { Closable } from '@itsm/shared/running/app';
import { openDataDirectory } from './data/data-directory';
import { startPlatform } from './platform';
import { generateQuery } from './testing/generate-query';
import { startGateway } from './testing/start-gateway';

const folder = mkdtempSync(join(tmpdir(), 'itsm-executors-'));
const opened: Closable[] = [];
let token: string;
let ask: Record<'compiled' | 'apollo', (query: string) => Promise<string>>;
let schema: GraphQLSchema;
let ids: readonly string[];

beforeAll(async () => {
  const data = openDataDirectory(folder);
  const settings = { ALLOW_PLAIN_HTTP: 'true' };
  const platform = await startPlatform({ port: 0, data, logLevel: 'error', settings, progress: () => {} });
  opened.push(platform);
  const demo = JSON.parse(readFileSync(data.demoFile, 'utf8')) as {
    accounts: { wdc: { administrator: { personal_access_token: string } } };
  };
  token = demo.accounts.wdc.administrator.personal_access_token;
  const compiled = await startGateway(platform, 'compiled');
  opened.push(compiled);
  const apollo = await startGateway(platform, 'apollo');
  opened.push(apollo);
  ask = { compiled: (query) => compiled.ask(token, query), apollo: (query) => apollo.ask(token, query) };
  const response = await compiled.get(token, '/graphql', 'application/json');
  schema = buildClientSchema(((await response.json()) as { data: IntrospectionQuery }).data);
  const some = await ask.compiled('{ requests(first: 2) { nodes { id } } teams(first: 1) { nodes { id } } me { id } }');
  ids = [...some.matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id);
});
afterAll(async () => {
  for (const one of opened.reverse()) await one.close();
  rmSync(folder, { recursive: true });
});

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** The data with its order of fields. Errors are sorted, since their order does not count. */
const answered = (text: string) => {
  const { data, errors = [] } = JSON.parse(text) as Body;
  const sorted = errors.map((error) => JSON.stringify(error)).sort();
  return { data: inOrder(data), errors: sorted.map((error) => inOrder(JSON.parse(error))) };
};

const decisions = fc.array(fc.nat(999), { minLength: 1, maxLength: 200, size: 'max' });
const queryOf = (taken: readonly number[]): string => {
  let next = 0;
  return generateQuery(schema, ids, (choices) => (taken[next++] ?? 0) % choices);
};

test('the schema from which the types of the console are made is that of the platform', () => {
  const file = join(__dirname, '../../console/schema.graphql');
  const text = `${printSchema(lexicographicSortSchema(schema))}\n`;
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('both executors give the same answers to generated queries over all services', async () => {
  expect(ids.length).toBeGreaterThan(2);
  let executed = 0;
  await fc.assert(
    fc.asyncProperty(decisions, async (taken) => {
      const query = queryOf(taken);
      // Each answer has a new key for a file.
      fc.pre(!query.includes('attachmentStorage'));
      fc.pre(validate(schema, parse(query)).length === 0);
      const compiled = answered(await ask.compiled(query));
      expect({ query, ...answered(await ask.apollo(query)) }).toEqual({ query, ...compiled });
      if (compiled.data !== undefined) executed += 1;
    }),
    { numRuns: Number(process.env['RUNS'] ?? 60), ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }) },
  );
  expect(executed).toBeGreaterThan(40);
});

test('words of enums are taken as strings and as enum values', async () => {
  const list = (status: string) =>
    `{ requests(first: 5, filter: { status: { values: [${status}] } }) { nodes { id status } } }`;
  for (const executor of ['compiled', 'apollo'] as const) {
    const [asString, asValue] = [await ask[executor](list('"assigned"')), await ask[executor](list('assigned'))];
    expect(answered(asString)).toEqual(answered(asValue));
    const { data, errors } = answered(asString);
    expect(errors).toEqual([]);
    expect(JSON.stringify(data)).toContain('["status","assigned"]');
  }
});
