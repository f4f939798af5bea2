import { OperationTypeNode, parse, validate } from 'graphql';
import { operations, priceOf, schema, whole } from './testing/documents';

test('there are documents, and none has the name of another', () => {
  const names = operations.map(({ name }) => name?.value);
  expect(names.length).toBeGreaterThan(20);
  expect(new Set(names).size).toBe(names.length);
});

test.each(operations.map((operation) => [operation.name?.value ?? '', operation] as const))(
  '%s is valid, and its screen costs 3 points at most',
  (_name, operation) => {
    expect(validate(schema, parse(whole(operation)))).toEqual([]);
    if (operation.operation === OperationTypeNode.MUTATION) return;
    const answer = priceOf(operation);
    expect(answer).toMatchObject({ kind: 'priced' });
    if (answer.kind === 'priced') expect(answer.price.cost).toBeLessThanOrEqual(3);
  },
);
