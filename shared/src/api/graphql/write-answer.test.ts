import fc from 'fast-check';
import { duringCall } from '../../base/concurrency/present-call';
import { mostAnswerBytes, writeAnswer } from './write-answer';

const nodes = (count: number) => Array.from({ length: count }, (_none, id) => ({ id: `${id}`, tags: ['a', null] }));

/** Converts objects to lists of members, so that their order is compared. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return { members: Object.entries(value).map(([key, member]) => [key, inOrder(member)]) };
};

test('any answer is written as JSON in member order, whatever its size', async () => {
  const value = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    large: fc.integer({ min: 500, max: 3_000 }).map(nodes),
    list: fc.array(tie('value'), { maxLength: 5 }),
    object: fc.dictionary(fc.string(), tie('value'), { maxKeys: 5 }),
    value: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('large'), tie('list'), tie('object')),
  })).value;
  await fc.assert(
    fc.asyncProperty(value, async (data) => {
      const result = { data: { data }, errors: undefined } as never;
      expect(inOrder(JSON.parse(await writeAnswer(result)))).toEqual(inOrder({ data: { data } }));
    }),
    { numRuns: 60 },
  );
});

test('writing a large answer does not block the event loop', async () => {
  const call = { accountId: 'a', left: () => 1_000 };
  let turns = 0;
  let isWritten = false;
  const count = (): void => {
    turns += 1;
    if (!isWritten) setImmediate(count);
  };
  setImmediate(count);
  await duringCall(call, () => writeAnswer({ data: { nodes: nodes(100_000) } }));
  isWritten = true;
  // 500,000 values in slices of 2,000.
  expect(turns).toBeGreaterThan(150);
});

test("writing stops when an answer exceeds the gateway's limit", async () => {
  const text = 'x'.repeat(1024);
  const result = { data: { nodes: Array.from({ length: mostAnswerBytes / 1024 }, (_none, id) => ({ id, text })) } };
  expect(JSON.parse(await writeAnswer(result))).toMatchObject({
    errors: [{ extensions: { code: 'ANSWER_TOO_LARGE' } }],
  });
});
