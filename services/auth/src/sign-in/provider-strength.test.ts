import { locationOf, openBrowser, openSignedIn } from '../testing/browser';
import { addAuthenticatorApp, postFrom } from '../testing/factors';
import { json, makeKey, startLocalProvider } from '../testing/local-provider';
import { answerOf, endpointsOf, withProvider } from '../testing/provider-scene';
import type { Auth } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let auth: Auth;
const { seed, start } = withProvider((started) => ({ auth } = started));
const settings = '/oauth/administration/account';

test('a second factor is required where the account requires one, regardless of acr and amr of the provider', async () => {
  const key = await makeKey();
  const local = await startLocalProvider([key]);
  const { person: administrator, accountId } = await seed({ issuer: local.issuer });
  const person = await seedPerson(auth, { accountId });
  local.answers.discovery = json({ ...local.metadata, ...endpointsOf(local.issuer) });
  const claims = { email: person.email, acr: 'urn:example:phishing-resistant', amr: ['mfa', 'hwk', 'pin'] };
  async function signIn() {
    const browser = openBrowser(auth);
    const back = await browser.get(await answerOf(auth, local, key, await start(browser, accountId), { claims }));
    expect(back.status).toBe(303);
    return browser.get('/oauth/profile');
  }
  expect((await signIn()).status).toBe(200);

  const browser = await openSignedIn(auth, administrator);
  await addAuthenticatorApp(auth, browser);
  await postFrom(browser, settings, settings, { secondFactorRequired: 'yes' });
  expect(locationOf(await signIn())).toMatch(/^\/oauth\/profile\/sign-in\?next=/);
  await local.close();
});
