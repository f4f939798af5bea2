import { buildSchema } from 'graphql';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createDocuments } from '../supergraph/documents';
import type { Execution, ExecutionResult, Executor, ExecutionContext, PreparedOperation } from './executor';
import { withShadow, shadowQueries } from './shadow';

const documents = createDocuments(buildSchema('type Query { a: String } type Mutation { a: String }'));
const executionOf = (query: string): Execution => ({
  operation: documents(query, undefined) as PreparedOperation,
  variables: { secret: 'c4nary' },
  coerced: { secret: 'c4nary' },
  context: { requestId: 'r1' } as ExecutionContext,
});
const answer = (value: string): ExecutionResult => ({
  data: JSON.stringify({ a: value }),
  errors: [],
  isIncomplete: false,
});
const answers =
  (...values: string[]): Executor =>
  () =>
    Promise.resolve(answer(values.length > 1 ? (values.shift() ?? '') : (values[0] ?? '')));

interface Given {
  readonly chosen?: Executor;
  readonly other?: Executor;
  readonly ratio?: number;
  readonly random?: () => number;
}

/** Both executors and the calls they got; `outcomes(n)` resolves once n outcomes were counted. */
async function start({ chosen = answers('x'), other = answers('x'), ratio = 1, random = () => 0 }: Given) {
  shadowQueries.reset();
  const lines: string[] = [];
  const asked: string[] = [];
  const noted =
    (name: string, execute: Executor): Executor =>
    (execution) => {
      asked.push(execution.context.isShadow ? `${name} in the shadow` : name);
      return execute(execution);
    };
  const logger = createLogger('test', 'info', (line) => lines.push(line));
  const execute = withShadow(noted('chosen', chosen), noted('other', other), { ratio, random, logger });
  const outcomes = async (): Promise<Record<string, number>> => {
    const { values } = await shadowQueries.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
  };
  const settled = (outcome: string) => waitUntil(`${outcome} to be counted`, async () => (await outcomes())[outcome]);
  return { execute, outcomes, settled, lines, asked };
}

test('equal answers are counted and not logged', async () => {
  const { execute, outcomes, settled, lines, asked } = await start({});
  await execute(executionOf('{ a }'));
  await settled('same');
  expect(await outcomes()).toEqual({ same: 1 });
  expect([asked, lines]).toEqual([['chosen', 'other in the shadow'], []]);
});

test('a difference is counted and logged with its place, without any value', async () => {
  const { execute, outcomes, settled, lines } = await start({
    chosen: answers('c4nary-1'),
    other: answers('c4nary-2'),
  });
  expect(await execute(executionOf('query Named { a }'))).toEqual(answer('c4nary-1'));
  await settled('data');
  expect(await outcomes()).toEqual({ data: 1 });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'warn',
    message: 'executors differ',
    kind: 'data',
    path: 'a',
    operation: 'Named',
    hash: executionOf('query Named { a }').operation.hash,
    requestId: 'r1',
  });
  expect(lines.join()).not.toContain('c4nary');
});

test('data that changed between the two runs is no difference', async () => {
  const { execute, outcomes, settled, lines } = await start({ chosen: answers('old', 'new'), other: answers('new') });
  await execute(executionOf('{ a }'));
  await settled('changed');
  expect([await outcomes(), lines]).toEqual([{ changed: 1 }, []]);
});

test('one failed run is counted; two failed runs count as the same', async () => {
  const fails: Executor = () => Promise.reject(new Error('c4nary'));
  const one = await start({ other: fails });
  expect(await one.execute(executionOf('{ a }'))).toEqual(answer('x'));
  await one.settled('failed');
  expect(one.lines.join()).not.toContain('c4nary');
  const both = await start({ chosen: fails, other: fails });
  await expect(both.execute(executionOf('{ a }'))).rejects.toThrow('c4nary');
  await both.settled('same');
});

test('mutations are never shadowed, and of queries only the configured share', async () => {
  const turns = [0.5, 0.49, 0.51];
  const { execute, settled, asked } = await start({ ratio: 0.5, random: () => turns.shift() ?? 1 });
  await execute(executionOf('mutation { a }'));
  for (let call = 0; call < 3; call += 1) await execute(executionOf('{ a }'));
  await settled('same');
  expect(asked).toEqual(['chosen', 'chosen', 'chosen', 'chosen', 'other in the shadow']);
});

test('answers do not wait for the shadow run, and runs beyond the concurrency limit are dropped', async () => {
  let finish: () => void = () => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  const { execute, outcomes, settled } = await start({
    other: async () => {
      await held;
      return answer('x');
    },
  });
  for (let call = 0; call < 10; call += 1) expect(await execute(executionOf('{ a }'))).toEqual(answer('x'));
  expect(await outcomes()).toEqual({ dropped: 6 });
  finish();
  await waitUntil('the four', async () => (await outcomes())['same'] === 4);
  await execute(executionOf('{ a }'));
  await waitUntil('one more', async () => (await outcomes())['same'] === 5);
  expect(await settled('dropped')).toBe(6);
});
