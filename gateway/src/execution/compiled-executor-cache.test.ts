import { graphql } from 'graphql';
import { createDocuments } from '../graphql/documents';
import type { PreparedOperation } from '../graphql/prepared-operation';
import type { ExecutionContext } from '../supergraph/execution-context';
import type { ServicePart } from '../supergraph/service-client';
import { generatedServices, generatedSupergraph } from '../testing/generated-graph';
import { createCompiledExecutor } from './compiled-executor';
import { createPlanner } from './query-planner';
import type { Subgraph } from './subgraph';

const planner = createPlanner(generatedSupergraph());

/** An executor over services in the process; `change` gets hold of their answers. */
function start(change: (part: ServicePart, name: string) => ServicePart | undefined = (part) => part) {
  let plans = 0;
  const sent: string[] = [];
  const subgraphs = new Map<string, Subgraph>(
    [...generatedServices].map(([name, schema]) => [
      name,
      async ({ query }, variables) => {
        sent.push(variables);
        const variableValues = JSON.parse(variables) as Record<string, unknown>;
        const result = await graphql({ schema, source: query, variableValues });
        return change(JSON.parse(JSON.stringify(result)) as ServicePart, name);
      },
    ]),
  );
  const plan: typeof planner.plan = (document, name) => {
    plans += 1;
    return planner.plan(document, name);
  };
  const execute = createCompiledExecutor({ ...planner, plan }, subgraphs);
  const documents = createDocuments(planner.schema);
  const run = (query: string, coerced: Record<string, unknown> = {}) => {
    const operation = documents(query, undefined) as PreparedOperation;
    return execute({ operation, variables: coerced, coerced, context: {} as ExecutionContext });
  };
  return { run, plans: () => plans, sent };
}

test('an operation that comes a second time is kept and planned no more', async () => {
  const { run, plans } = start();
  for (let call = 0; call < 5; call += 1) await run('{ person { name badge { code } } }');
  expect(plans()).toBe(2);
});

test('each choice of @include has its own answer from one plan', async () => {
  const { run } = start();
  const query = 'query ($yes: Boolean!) { person { age name @include(if: $yes) tags @skip(if: $yes) } }';
  const texts = [];
  for (const yes of [true, false, true, false]) texts.push((await run(query, { yes })).data);
  const name = JSON.stringify('Name "p2" é\u2028');
  const [withName, without] = [`{"person":{"age":2,"name":${name}}}`, '{"person":{"age":2,"tags":["a","b"]}}'];
  expect(texts).toEqual([withName, without, withName, without]);
});

test('an entity at two places, under which different fields have the same key', async () => {
  const { run } = start();
  const { data } = await run(
    '{ p: person { badge { holder { x: name } } } q: person { badge { holder { x: age } } } }',
  );
  expect(JSON.parse(data)).toEqual({
    p: { badge: { holder: { x: 'Name "p2" é\u2028' } } },
    q: { badge: { holder: { x: 2 } } },
  });
});

test('every entity is sent once, also when lists name it again', async () => {
  const { run, sent } = start();
  await run('{ people { badge { code } } person { badge { code } } }');
  const representations = sent.flatMap((text) => {
    const { representations: list = [] } = JSON.parse(text) as { representations?: { id: string }[] };
    return list.map(({ id }) => id);
  });
  expect(representations.sort()).toEqual(['p1', 'p2', 'p3']);
});

test.each<[string, unknown]>([
  ['too few entities', []],
  ['too many entities', [{}, {}, {}, {}, {}]],
  ['no list of entities', { length: 1 }],
])('a service that answers %s is out of reach', async (_name, _entities) => {
  const { run } = start((part, name) => (name === 'extras' ? { data: { _entities } } : part));
  const { data, errors } = await run('{ person { age badge { code } } }');
  expect(data).toBe('{"person":{"age":2,"badge":null}}');
  expect(errors).toEqual([
    { message: 'Service Unavailable', path: ['person'], extensions: { code: 'SERVICE_UNAVAILABLE' } },
  ]);
});

test.each<[string, unknown, string]>([
  ['text for an object', 'text', 'null'],
  ['a list for an object', [1], 'null'],
  ['an object for text', { name: {}, age: 1 }, 'null'],
  ['a fraction for an integer', { name: 'x', age: 1.5 }, '{"name":"x","age":null}'],
  ['nothing for what must be there', { age: 1 }, 'null'],
])('%s is a fault that takes only its own place', async (_name, person, expected) => {
  const { run } = start(() => ({ data: { person } }));
  const { data, isIncomplete } = await run('{ person { name age } }');
  expect([data, isIncomplete]).toEqual([`{"person":${expected}}`, true]);
});
