import { testsOfDeclared } from '@itsm/shared/declared/declared.contract';
import type { DeclaredClient } from '@itsm/shared/declared/declared.contract';
import type { Declaration } from '@itsm/shared/declared/language';
import { headersOf } from '../testing/caller';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';
import { accountType } from './account';
import { personType } from './person';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const newClient = (own: (person: SeededPerson) => string | number) => (): DeclaredClient => {
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
    own: async () => own(await person),
  };
};

/** Roles, trusts and standings have tests of their own. */
const simple = <D extends Declaration>(type: D): Declaration => ({
  ...type,
  fields: type.fields.filter(({ kind }) => !['choices', 'shape', 'standing'].includes(kind)),
});

let names = 0;

describe('people', () => {
  testsOfDeclared({
    type: simple(personType),
    needed: () => ({ name: 'Grace Lin', primaryEmail: `grace.${(names += 1)}@wdc.example` }),
    values: {
      primaryEmail: ['first@wdc.example', 'second@wdc.example'],
      locale: ['nl-NL', 'de'],
      timeZone: ['Europe/Amsterdam', 'Asia/Tokyo'],
    },
    hasAudit: false,
    newClient: newClient(({ id }) => id),
  });
});

describe('accounts', () => {
  testsOfDeclared({
    type: simple(accountType),
    needed: () => ({}),
    values: { customUrl: ['https://first.example/', 'https://second.example/'] },
    hasAudit: false,
    newClient: newClient(({ accountId }) => accountId),
  });
});
