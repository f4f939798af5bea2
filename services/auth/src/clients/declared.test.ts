import { testsOfDeclared } from '@itsm/shared/declared/declared.contract';
import type { DeclaredClient } from '@itsm/shared/declared/declared.contract';
import type { Declaration } from '@itsm/shared/declared/language';
import { headersOf } from '../testing/caller';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';
import { applicationType } from './application';
import { ssoConfigurationType } from './sso-configuration';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

let names = 0;
function newClient(): DeclaredClient {
  const person = seedPerson(auth);
  const headers = async () => headersOf(auth, await person);
  return {
    rest: async (method, path, body) =>
      auth.http[method](path)
        .set(await headers())
        .send(body),
    graphql: async (query, variables) =>
      auth.http
        .post('/graphql')
        .set(await headers())
        .send({ query, variables }),
  };
}

/** Settings with a value of a form of their own, and those that need others, have tests of their own. */
const apart = ['shape', 'reference', 'person', 'secret', 'standing', 'choices', 'texts'];
const simple = <D extends Declaration>(type: D, others: readonly string[] = []): Declaration => ({
  ...type,
  fields: type.fields.filter(({ kind, name }) => !apart.includes(kind) && !others.includes(name)),
});

describe('SSO configurations', () => {
  testsOfDeclared({
    type: simple(ssoConfigurationType),
    needed: () => ({
      name: `Provider ${(names += 1)}`,
      issuer: 'https://id.example/tenant/',
      identifier: 'primary_email',
    }),
    values: { issuer: ['https://first.example/', 'https://second.example/'] },
    hasAudit: false,
    newClient,
  });
});

describe('applications', () => {
  const scopes = [{ effect: 'allow', actions: ['request:Read'] }];
  testsOfDeclared({
    type: simple(applicationType, ['jwks', 'jwksUri', 'privateKeyJwtRequired']),
    needed: () => ({ name: `Shop ${(names += 1)}`, redirectUris: ['https://shop.example/cb'], scopes }),
    values: { homepage: ['https://first.example/', 'https://second.example/'] },
    hasAudit: false,
    newClient,
  });
});
