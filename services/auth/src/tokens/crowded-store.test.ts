import { answerIn, authorizeQuery, decide, openSignedIn } from '../testing/browser';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeEach(async () => {
  store = await startStore();
  auth = await store.start();
});
afterEach(() => store.close());

/** Makes `field` unique in the collection, so that a second document with the same value is always refused. */
const takeOneFor = (collection: string, field: string) =>
  auth.connection.collection(collection).createIndex({ [field]: 1 }, { unique: true });

test('an optimistic write of an application that always loses is refused in the end', async () => {
  const { accountId } = await seedPerson(auth);
  await seedApplication(auth, accountId);
  await takeOneFor('applications', 'accountId');
  await expect(seedApplication(auth, accountId, { name: 'Another' })).rejects.toMatchObject({ code: 'conflict' });
});

test('an optimistic write of a consent that always loses is refused in the end', async () => {
  const ellen = await seedPerson(auth);
  const grace = await seedPerson(auth, { accountId: ellen.accountId });
  const application = await seedApplication(auth, ellen.accountId);
  const consentOf = async (person: typeof ellen) =>
    decide(await openSignedIn(auth, person), authorizeQuery(application), 'allow');
  await consentOf(ellen);
  await takeOneFor('authorizations', 'applicationId');
  expect(answerIn(await consentOf(grace))).toMatchObject({ error: 'temporarily_unavailable' });
});
