import { formTokenIn, openBrowser, openSignedIn } from '../testing/browser';
import { postFrom } from '../testing/factors';
import { signInAt } from '../testing/oidc-provider';
import { withProvider } from '../testing/provider-scene';
import type { Provider } from '../testing/provider-scene';
import type { Auth } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let auth: Auth;
let provider: Provider;
const { seed, start, written } = withProvider((started) => ({ auth, provider } = started));

/** The provider's `sub` for the administrator of the directory account. */
const subject = 'somebody';

/** Creates an account with its own provider, and the administrator of its directory account. */
async function seedChild(more: object = {}) {
  const child = await seed(more);
  const directory = await seedPerson(auth, { authenticationID: subject });
  const { accountId } = child;
  await auth.app.operator.ensureAccount({ id: accountId, name: 'Child', directoryAccountId: directory.accountId });
  return { child, directory };
}

test.each(['primary_email', 'authentication_id'])(
  'a provider of the account itself signs in nobody of its directory account, by %s',
  async (identifier) => {
    const { child, directory } = await seedChild({ identifier });
    const browser = openBrowser(auth);
    const login = identifier === 'primary_email' ? directory.email : subject;
    const answer = await signInAt(provider.issuer, await start(browser, child.accountId), login);
    await browser.get(answer).expect(400);
    await browser.get('/oauth/profile').expect(303);
    const because = 'The subject token matches no person in the account';
    expect(await written(child.accountId)).toMatchObject([{ event: 'sign_in.failed', facts: { because } }]);
    expect(await written(directory.accountId)).toEqual([]);
  },
);

test("the account's own provider cannot do the step-up of a person of its directory account", async () => {
  const { child, directory } = await seedChild();
  const browser = await openSignedIn(auth, directory);
  const people = auth.connection.collection<{ _id: number }>('people');
  await people.updateOne({ _id: directory.id }, { $set: { password: null } });
  const longAgo = new Date(auth.now().getTime() - 30 * 60_000);
  const change = { $set: { passwordSalt: null, authenticatedAt: longAgo } };
  await auth.connection.collection('sessions').updateMany({ personId: directory.id }, change);

  const [address, typed] = ['/oauth/profile/personal-access-tokens', { name: 'Mine', days: '90', action: 'me:Name' }];
  const asked = await postFrom(browser, '/oauth/profile', address, typed);
  expect(asked.text).toContain('<h1>Sign in again</h1>');
  const query = new URLSearchParams({ account: child.accountId, again: 'yes' });
  const begun = await browser.get(`/oauth/sign-in/provider/${child.configuration.id}?${query.toString()}`).expect(303);
  const answer = await signInAt(provider.issuer, begun.get('location') ?? '', directory.email);
  await browser.get(answer).expect(400);
  const goOn = { ...typed, form_token: formTokenIn(asked), confirm_again: 'yes' };
  await browser.post(address).type('form').send(goOn).expect(401);
});

test('the provider of the directory account signs in people of both accounts', async () => {
  const directory = await seed();
  const { accountId, email } = await seedPerson(auth);
  await auth.app.operator.ensureAccount({ id: accountId, name: 'Child', directoryAccountId: directory.accountId });
  for (const login of [email, directory.person.email]) {
    const browser = openBrowser(auth);
    await browser.get(await signInAt(provider.issuer, await start(browser, accountId), login)).expect(303);
    expect((await browser.get('/oauth/profile').expect(200)).text).toContain(login);
  }
});
