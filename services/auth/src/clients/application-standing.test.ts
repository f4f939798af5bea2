import { obtainCode, openSignedIn } from '../testing/browser';
import { introspect, pairIn, redeem } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

test('disabling holds against concurrent updates that say the application is not disabled', async () => {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  const replica = await store.start({ database: auth.database });
  for (let round = 0; round < 20; round += 1) {
    const application = await seedApplication(auth, person.accountId, { name: `Application ${round}` });
    const { access_token } = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
    const change = (on: Auth, disabled: boolean) =>
      on.app.services.applications.update(person.accountId, everything, application.id, { disabled });
    await Promise.all([change(replica, false), change(auth, true), change(auth, false), change(replica, false)]);
    // The token stays invalid, even if a later concurrent call enabled the application again.
    expect((await introspect(auth, access_token)).active).toBe(false);
    const event = /^application\.(dis|en)abled$/;
    const stored = await auth.connection
      .collection('security_log')
      .find({ 'application.id': application.id, event })
      .toArray();
    const found = await auth.app.services.applications.find(person.accountId, application.id);
    const events = stored.map((entry) => String(entry['event'])).sort();
    expect(events).toEqual(
      found?.disabledAt ? ['application.disabled'] : ['application.disabled', 'application.enabled'],
    );
  }
});
