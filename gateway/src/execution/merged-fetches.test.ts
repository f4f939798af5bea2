import { createMergeOperations } from './merged-operation';
import { startExecutor } from '../testing/start-executors';

/** Two fetches from one service that are due at the same time, for different fields at different places. */
const both = '{ person { score } people { badge { code } } }';

/** Two chains of fetches: the extras of a person and those of requests, each after another service's answer. */
const chains = '{ person { score } requests { note } }';

const entityQuery = (field: string): string =>
  `query($representations:[_Any!]!){_entities(representations:$representations){...on Person{${field}}}}`;

const four = <T>(one: T): T[] => Array.from({ length: 4 }, () => one);

const listsIn = (text: string): string[] =>
  Object.keys(JSON.parse(text) as object).filter((name) => name.startsWith('representations'));

test('fetches from one service that are due together are one request', async () => {
  const { run, sent } = await startExecutor('compiled');
  const { run: asApollo } = await startExecutor('apollo');
  expect(await run(both)).toEqual(await asApollo(both));
  expect(sent.map(listsIn)).toEqual([[], ['representations0', 'representations1']]);
});

test('fetches of different plan steps that become due in the same turn are one request', async () => {
  const { run, sent } = await startExecutor('compiled');
  const { run: asApollo } = await startExecutor('apollo');
  expect(await run(chains)).toEqual(await asApollo(chains));
  expect(sent.map(listsIn)).toEqual([[], [], ['representations0', 'representations1']]);
});

test('no fetch waits for an answer that it does not depend on', async () => {
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const { run, sent } = await startExecutor('compiled', async (part, service) => {
    if (service === 'extras') ask();
    if (service === 'records') await asked;
    return part;
  });
  expect(JSON.parse((await run(chains)).data)).toMatchObject({ person: { score: 2 } });
  expect(sent.map(listsIn)).toEqual([[], [], ['representations'], ['representations']]);
});

test('a plan keeps 32 merged operations at most; further sets of fetches are sent separately', () => {
  let bytes = 0;
  const merge = createMergeOperations((added) => (bytes += added));
  const pair = (n: number): string[] => [entityQuery('first'), entityQuery(`second${n}`)];
  const merged = Array.from({ length: 40 }, (_, n) => merge(pair(n)));
  expect(merged.filter(Boolean)).toEqual(merged.slice(0, 32));
  const before = bytes;
  expect([merge(pair(3)), bytes]).toEqual([merged[3], before]);
});

test('a fetch without entities leaves the other one as it would be alone', async () => {
  const { run, sent } = await startExecutor('compiled');
  const { data, errors } = await run('{ nobody { score } people { badge { code } } }');
  expect([JSON.parse(data), errors]).toEqual([{ nobody: null, people: four({ badge: { code: 'code' } }) }, []]);
  expect(sent.map(listsIn)).toEqual([[], ['representations']]);
});

test("the client's variables are sent along; a name that collides with ours prevents merging", async () => {
  for (const [name, requests] of [
    ['yes', 2],
    ['representations1', 3],
  ] as const) {
    const { run, sent } = await startExecutor('compiled');
    const query = `query ($${name}: Boolean!) { person { score tags @include(if: $${name}) } people { badge { code @include(if: $${name}) color } } }`;
    const { data } = await run(query, { [name]: true });
    expect(JSON.parse(data)).toMatchObject({ people: four({ badge: { code: 'code' } }) });
    expect(sent).toHaveLength(requests);
  }
});

test('an error of one merged fetch has the paths of that fetch, and the other fetch is complete', async () => {
  const { run } = await startExecutor('compiled', (part, service) =>
    service === 'extras'
      ? { ...part, errors: [{ message: 'Wrong', path: ['_entities1', 0, 'score'], extensions: { code: 'WRONG' } }] }
      : part,
  );
  const { data, errors } = await run(both);
  expect(errors).toEqual([{ message: 'Wrong', path: ['person', 'score'], extensions: { code: 'WRONG' } }]);
  expect(JSON.parse(data)).toMatchObject({ people: four({ badge: { code: 'code' } }) });
});

test('an unreachable service, or an answer about other entities, nulls the fields of all merged fetches', async () => {
  for (const answer of [undefined, { data: { _entities0: [], _entities1: [] } }, { data: {} }]) {
    const { run } = await startExecutor('compiled', (part, service) => (service === 'extras' ? answer : part));
    const { data, errors } = await run(both);
    expect(JSON.parse(data)).toMatchObject({ person: { score: null }, people: four({ badge: null }) });
    const unavailable = { message: 'Service Unavailable', extensions: { code: 'SERVICE_UNAVAILABLE' } };
    expect(errors).toEqual([
      { ...unavailable, path: ['people', 0] },
      { ...unavailable, path: ['person'] },
    ]);
  }
});
