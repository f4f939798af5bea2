import { OperationTypeNode, parse, validate } from 'graphql';
import { generatedPart, markdownTable } from '@itsm/shared/testing/generated-part';
import { folderOf, operations, priceOf, schema, whole } from './testing/documents';

test('document names are unique', () => {
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

test('docs/console.md has the cost of each screen (UPDATE_DOCS=1 writes it)', () => {
  const queries = operations.filter(({ operation }) => operation === OperationTypeNode.QUERY);
  const rows = queries.map((operation) => {
    const answer = priceOf(operation);
    const points = answer.kind === 'priced' ? answer.price.cost : NaN;
    return { folder: folderOf(operation), name: operation.name?.value ?? '', points };
  });
  const table = markdownTable([
    ['Screens', 'Documents, with their points'],
    ...[...new Set(rows.map(({ folder }) => folder))].map((folder) => [
      `\`${folder}\``,
      rows
        .filter((row) => row.folder === folder)
        .map(({ name, points }) => `${name} ${points}`)
        .join(', '),
    ]),
  ]);
  expect(generatedPart('docs/console.md', 'points of the screens', table)).toBe(table);
});
