import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { obtainCode, openSignedIn } from '../testing/browser';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';
import type { Auth } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ connect: (url) => connectPatiently(url, { monitorCommands: true }) });
});
afterAll(() => store.close());

/** The commands of a call, by collection. */
async function readsOf(call: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const note = ({ commandName, command }: { commandName: string; command: Readonly<Record<string, unknown>> }) => {
    const collection = String(command[commandName]);
    counts[collection] = (counts[collection] ?? 0) + 1;
  };
  const client = auth.connection.getClient().on('commandStarted', note);
  await call();
  client.off('commandStarted', note);
  return counts;
}

test('the profile reads the applications of an account together, and each application adds one read of its tokens', async () => {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  /** Authorizes further applications, some of which have asked again since, and returns the reads of the profile. */
  async function readsWith(first: number, last: number) {
    for (let n = first; n <= last; n += 1) {
      const application = await seedApplication(auth, person.accountId, { name: `Application ${n}.` });
      await obtainCode(browser, application);
      if (n % 2 === 1) continue;
      await auth.app.services.applications.update(person.accountId, everything, application.id, {
        scopes: [{ effect: 'allow', actions: ['me:Name'] }],
      });
      await obtainCode(browser, application);
    }
    const names: string[] = [];
    const reads = await readsOf(async () => {
      const { text } = await browser.get('/oauth/profile').expect(200);
      names.push(...[...text.matchAll(/<h3>(Application \d+\.)<\/h3>/g)].map(([, name = '']) => name));
    });
    expect(names).toHaveLength(last);
    expect(new Set(names).size).toBe(last);
    return reads;
  }
  // Only these: the process also reads others by itself, such as `processes` for its leases.
  const inQuestion = ({ applications, authorizations, token_families: families }: Record<string, number>) => ({
    applications,
    authorizations,
    families,
  });
  const few = await readsWith(1, 3);
  const more = await readsWith(4, 9);
  expect(inQuestion(few)).toEqual({ applications: 1, authorizations: 1, families: 3 });
  expect(inQuestion(more)).toEqual({ applications: 1, authorizations: 1, families: 9 });
  // A background read of accounts may be among them, but not one for each of the six further applications.
  expect(more['accounts']).toBeLessThan(Number(few['accounts']) + 6);
});
