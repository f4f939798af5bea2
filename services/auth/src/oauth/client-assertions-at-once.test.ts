import { assertionOf, byAssertion, keySetOf } from '../testing/assertion';
import { requestToken } from '../testing/client';
import { makeKey } from '../testing/local-provider';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

test('of 64 equal assertions at once one succeeds, and no refusal blames the service', async () => {
  const auth = await store.start();
  const replica = await store.start({ database: auth.database });
  const key = await makeKey('ES256');
  const person = await seedPerson(auth);
  const more = { grantTypes: ['client_credentials' as const], actsAsPersonId: person.id, jwks: keySetOf(key) };
  const application = await seedApplication(auth, person.accountId, more);
  const assertion = await assertionOf(auth, key, application.clientId);
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, index) =>
      requestToken(index % 2 ? replica : auth, application, {
        grant_type: 'client_credentials',
        ...byAssertion(assertion),
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  // Those that arrive after the tenth failure was counted are slowed down like any guess.
  expect(statuses.filter((status) => ![200, 401, 429].includes(status))).toEqual([]);
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(10);
});
