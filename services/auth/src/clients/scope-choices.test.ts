import { generatedPart } from '@itsm/shared/testing/generated-part';
import { scopesTable } from '../testing/scopes-page';
import { models } from '@itsm/shared/contracts/scope-choices';

test('docs/api/oauth.md lists the scopes that can be chosen (UPDATE_DOCS=1 writes it)', () => {
  const table = scopesTable(models);
  expect(generatedPart('docs/api/oauth.md', 'models', table)).toBe(table);
});
