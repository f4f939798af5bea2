import { membersTable } from '@itsm/shared/testing/declared-page';
import { generatedPart } from '@itsm/shared/testing/generated-part';
import { policyType } from './policy';

test('docs/api/webhooks.md agrees with the declaration of policies (UPDATE_DOCS=1 writes it)', () => {
  const text = membersTable(policyType);
  expect(generatedPart('docs/api/webhooks.md', 'webhook policies', text)).toBe(text);
});
