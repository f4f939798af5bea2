import { shownFields } from './form-fields';

const field = (id: string, other?: string, equals: string | boolean = 'yes') => ({
  id,
  ...(other !== undefined && { visibleWhen: { field: other, equals } }),
});
const shown = (fields: ReturnType<typeof field>[], values: Readonly<Record<string, unknown>>): string =>
  shownFields(fields, new Map(Object.entries(values)))
    .map(({ id }) => id)
    .join('');

test('a field is hidden together with the one on which it depends, in any order', () => {
  const fields = [field('c', 'b'), field('b', 'a'), field('a')];
  expect(shown(fields, { a: 'yes', b: 'yes' })).toBe('cba');
  expect(shown(fields, { a: 'no', b: 'yes' })).toBe('a');
  expect(shown(fields, { a: 'yes' })).toBe('ba');
});

test('what is not filled in is an empty text or an unchecked box, and a number is a text', () => {
  expect(shown([field('a'), field('b', 'a', ''), field('c', 'a', false), field('d', 'a', 'x')], {})).toBe('abc');
  expect(shown([field('a'), field('b', 'a', '3')], { a: 3 })).toBe('ab');
});

test('fields that depend on each other or on none that exists have an answer', () => {
  expect(shown([field('a', 'b'), field('b', 'a')], { a: 'yes', b: 'yes' })).toBe('ab');
  expect(shown([field('a', 'b'), field('b', 'a')], { b: 'yes' })).toBe('');
  expect(shown([field('a', 'gone', '')], {})).toBe('a');
});

test('a long chain is walked once', () => {
  const fields = Array.from({ length: 2_000 }, (_none, index) =>
    field(`${index}`, index > 0 ? `${index - 1}` : undefined),
  );
  const values = new Map(fields.map(({ id }) => [id, 'yes']));
  expect(shownFields([...fields].reverse(), values)).toHaveLength(2_000);
});
