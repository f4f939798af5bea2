import { generatedPart } from '@itsm/shared/testing/generated-part';
import { fairSharesTable } from '../testing/operations-page';

test('the page for operators has the figures of the fair shares (UPDATE_DOCS=1 writes them)', () => {
  const table = fairSharesTable();
  expect(generatedPart('docs/operations.md', 'fair shares', table)).toBe(table);
});
