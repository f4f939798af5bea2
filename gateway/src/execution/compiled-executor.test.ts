import { ApolloGateway } from '@apollo/gateway';
import type { GraphQLDataSource } from '@apollo/gateway';
import fc from 'fast-check';
import { getVariableValues, graphql, parse, validate } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import type { PreparedOperation } from '../graphql/prepared-operation';
import { createDocuments } from '../graphql/documents';
import type { ExecutionContext } from '../supergraph/execution-context';
import { generateQuery, generatedServices, generatedSupergraph } from '../testing/generated-graph';
import { createCompiledExecutor } from './compiled-executor';
import { createPlanner } from './query-planner';
import type { Subgraph } from './subgraph';

const supergraphSdl = generatedSupergraph();
const planner = createPlanner(supergraphSdl);
const documents = createDocuments(planner.schema);
const context = {} as ExecutionContext;
let fetches = 0;

interface Part {
  readonly data: Record<string, unknown> | null;
  readonly errors?: GraphQLFormattedError[];
}

async function ask(name: string, source: string, variableValues: Record<string, unknown>): Promise<Part> {
  const schema = generatedServices.get(name);
  if (!schema) throw new Error(`no service ${name}`);
  fetches += 1;
  return JSON.parse(JSON.stringify(await graphql({ schema, source, variableValues }))) as Part;
}

const subgraphs = new Map<string, Subgraph>(
  [...generatedServices.keys()].map((name) => [
    name,
    ({ query }, variables) => ask(name, query, JSON.parse(variables) as Record<string, unknown>),
  ]),
);
const execute = createCompiledExecutor(planner, subgraphs);

async function ours(query: string, variables: Record<string, unknown>) {
  const operation = documents(query, undefined) as PreparedOperation;
  const { coerced = {} } = getVariableValues(planner.schema, operation.node.variableDefinitions ?? [], variables);
  return execute({ operation, variables, coerced, context });
}

let apollo: Awaited<ReturnType<ApolloGateway['load']>>;
let stop: () => Promise<void>;
beforeAll(async () => {
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  const buildService = ({ name }: { name: string }): GraphQLDataSource => ({
    process: ({ request }) => ask(name, request.query ?? '', request.variables ?? {}),
  });
  const gateway = new ApolloGateway({ supergraphSdl, buildService });
  apollo = await gateway.load();
  stop = () => gateway.stop();
});
afterAll(() => stop());

async function theirs(query: string, variables: Record<string, unknown>) {
  const document = parse(query);
  const call = {
    request: { query, variables },
    document,
    queryHash: query,
    schema: planner.schema,
    context,
    metrics: {},
    logger: console,
  };
  const { data, errors = [] } = await apollo.executor(call as unknown as Parameters<typeof apollo.executor>[0]);
  return { data: JSON.stringify(data), errors: errors.map((error) => error.toJSON()) };
}

/** What went wrong and at which fields, in no order; theirs names other members of lists when types are mixed. */
const faults = (errors: readonly GraphQLFormattedError[]): string[] => {
  const fields = (path: GraphQLFormattedError['path']) => path?.map((key) => (typeof key === 'number' ? '@' : key));
  return [...new Set(errors.map(({ message, path }) => JSON.stringify([message, fields(path)])))].sort();
};

/** Whether an error points at a null. */
function leadsToNull(data: unknown, path: readonly (string | number)[]): boolean {
  if (data === null || data === undefined) return true;
  const [key, ...rest] = path;
  return key !== undefined && leadsToNull((data as Record<string | number, unknown>)[key], rest);
}

/** Ours keeps the order of the query, which theirs does not always do between fragments. */
const sorted = (data: string): string => JSON.stringify(sortKeys(JSON.parse(data)));

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sortKeys(member)]);
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

test('generated queries are answered as @apollo/gateway answers them, with no more fetches', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.boolean(), async (seed, yes) => {
      const query = generateQuery(planner.schema, randomOf(seed));
      if (validate(planner.schema, parse(query)).length > 0) return;
      compared += 1;
      const variables = { yes };
      fetches = 0;
      const expected = await theirs(query, variables);
      const theirFetches = fetches;
      fetches = 0;
      const actual = await ours(query, variables);
      expect({ query, data: sorted(actual.data), faults: faults(actual.errors) }).toEqual({
        query,
        data: sorted(expected.data),
        faults: faults(expected.errors),
      });
      for (const { path } of actual.errors) expect(leadsToNull(JSON.parse(actual.data), path ?? [])).toBe(true);
      expect(fetches).toBeLessThanOrEqual(theirFetches);
    }),
    { numRuns: 80 },
  );
  expect(compared).toBeGreaterThan(12);
}, 60_000);

test.each([
  ['{ person { id: name score } }', '{ person { x: name score } }'],
  ['{ person { id: score age } }', '{ person { x: score age } }'],
  ['{ person { __typename: name score } }', '{ person { y: name score } }'],
  ['{ record { __typename: id } }', '{ record { y: id } }'],
  [
    '{ record { id: __typename ... on Problem { cause { score } } } }',
    '{ record { x: __typename ... on Problem { cause { score } } } }',
  ],
  ['{ requests { id: title note } }', '{ requests { x: title note } }'],
  ['{ person { __as_id: name id: name score } }', '{ person { z: name x: name score } }'],
  ['{ person { id: faulty score } }', '{ person { x: faulty score } }'],
  [
    '{ people { id: name ...F } } fragment F on Person { boss { id: score __typename: name } }',
    '{ people { x: name ...F } } fragment F on Person { boss { x: score y: name } }',
  ],
])('an alias may have the name of a field that finds records: %s', async (query, plain) => {
  const names: Record<string, string> = { x: 'id', y: '__typename', z: '__as_id' };
  const named = (key: string | number) => names[key] ?? key;
  const { data, errors, isIncomplete } = await ours(plain, {});
  expect(await ours(query, {})).toEqual({
    data: data.replace(/"([xyz])":/g, (_all, key: string) => `"${named(key)}":`),
    errors: errors.map((error) => ({ ...error, path: error.path?.map(named) })),
    isIncomplete,
  });
});
