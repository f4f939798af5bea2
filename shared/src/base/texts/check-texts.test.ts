import { checkTexts } from './check-texts';

/** `value` within that many lists. */
function within(levels: number, value: unknown): unknown {
  let nested = value;
  for (let level = 0; level < levels; level += 1) nested = [nested];
  return nested;
}

test('a refused text is named by its path', () => {
  const check = (value: unknown) => () => checkTexts(value);
  expect(check({ a: [{ b: 'x' }, { b: 'x\0' }] })).toThrow('`a.1.b` has the control character U+0000 at position 1');
  expect(check({ a: { 'b\ud800': 1 } })).toThrow('A name in `a` has the unpaired surrogate U+D800 at position 1');
  expect(check({ 'b\ud800': 1 })).toThrow('A name in the body has the unpaired surrogate U+D800 at position 1');
  expect(check('x\0')).toThrow('The text has the control character U+0000 at position 1');
  expect(check({ a: ['x', 1, null, { b: 'tab\tand\nline' }] })).not.toThrow();
});

test('what is nested deeper than the check can go is refused, and not an error of ours', () => {
  const refusal = expect.objectContaining({
    code: 'bad_request',
    message: 'JSON may have at most 500 levels',
  }) as Error;
  expect(() => checkTexts(within(30_000, 'x'))).toThrow(refusal);
  expect(() => checkTexts(within(500 + 1, 'x'))).toThrow(refusal);
  expect(() => checkTexts(within(500, 'x'))).not.toThrow();
});
