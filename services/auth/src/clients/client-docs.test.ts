import { membersTable } from '@itsm/shared/testing/declared-page';
import { generatedPart } from '@itsm/shared/testing/generated-part';
import { accountType } from '../directory/account';
import { personType } from '../directory/person';
import { applicationType } from './application';
import { ssoConfigurationType } from './sso-configuration';

test.each([
  ['people', personType],
  ['accounts', accountType],
  ['SSO configurations', ssoConfigurationType],
  ['applications', applicationType],
])('docs/api/graphql.md agrees with the declaration of %s (UPDATE_DOCS=1 writes it)', (name, type) => {
  const text = membersTable(type);
  expect(generatedPart('docs/api/graphql.md', name, text)).toBe(text);
});
