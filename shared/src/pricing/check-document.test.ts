import { buildSchema } from 'graphql';
import { checkDocument } from './check-document';
import { limits } from './limits';

const schema = buildSchema('type Query { me: Int }');

/** The code and text of each error; the name of the chosen operation when there is none. */
function checked(query: string, operationName?: string) {
  const found = checkDocument(schema, query, operationName);
  return found.kind === 'valid'
    ? found.operation.node.name?.value
    : found.errors.map(({ message, extensions }) => [extensions['code'], message]);
}

test('an operation is chosen by its name, which has to name one, and may be left out of a single one', () => {
  const two = 'query One { me } query Two { me }';
  expect(checked(two, 'Two')).toBe('Two');
  expect(checked('query One { me }')).toBe('One');
  expect(checked(two)).toEqual([['BAD_USER_INPUT', '`operationName` must name one of the operations']]);
  expect(checked(two, 'Three')).toEqual([['BAD_USER_INPUT', 'There is no operation named "Three"']]);
  expect(checked('query All { me } { me }', 'Me')).toEqual([
    ['GRAPHQL_VALIDATION_FAILED', 'This anonymous operation must be the only defined operation.'],
  ]);
});

test('as many selections as the limit are taken, and one more is not', () => {
  const selecting = (count: number) =>
    checkDocument(undefined, `{ ${Array.from({ length: count }, (_, index) => `f${index}`).join(' ')} }`, undefined)
      .kind;
  expect([selecting(limits.selections), selecting(limits.selections + 1)]).toEqual(['valid', 'refused']);
});
