import { locationOf, openBrowser, openSignedIn } from '../testing/browser';
import { addAuthenticatorApp, codeNow, postFrom } from '../testing/factors';
import { json, makeKey, startLocalProvider } from '../testing/local-provider';
import { signInAt } from '../testing/oidc-provider';
import { answerOf, endpointsOf, withProvider } from '../testing/provider-scene';
import type { Provider } from '../testing/provider-scene';
import type { Auth } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let auth: Auth;
let provider: Provider;
const { seed, start, written } = withProvider((started) => ({ auth, provider } = started));

describe('signing in again, of somebody without a password', () => {
  const tokens = '/oauth/profile/personal-access-tokens';
  const typed = { name: 'Nightly "report"', days: '90', action: 'me:Name' };
  const fieldsIn = (text: string) =>
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"'),
    ]);
  const linkIn = (text: string) => (/href="([^"]+again=yes)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');

  /** Moves a time of the person's sessions back by so many minutes; the provider's clock stands still. */
  const backdate = (personId: number, member: 'authenticatedAt' | 'vouchedAt', minutes: number) =>
    auth.connection
      .collection('sessions')
      .updateMany({ personId }, { $set: { [member]: new Date(auth.now().getTime() - minutes * 60_000) } });

  /** Signs a person in with the provider, half an hour ago, and opens the step-up for a token. */
  async function seedAsked() {
    const { person, accountId } = await seed();
    const people = auth.connection.collection<{ _id: number }>('people');
    await people.updateOne({ _id: person.id }, { $set: { password: null } });
    const browser = openBrowser(auth);
    await browser.get(await signInAt(provider.issuer, await start(browser, accountId), person.email));
    await backdate(person.id, 'authenticatedAt', 30);
    const asked = await postFrom(browser, '/oauth/profile', tokens, typed);
    expect(asked.text).toContain('<h1>Sign in again</h1>');
    const goOn = (more: object = {}) =>
      browser
        .post(tokens)
        .type('form')
        .send({ ...(Object.fromEntries(fieldsIn(asked.text)) as object), ...more });
    const goThere = async (login: string) => {
      const request = locationOf(await browser.get(linkIn(asked.text)).expect(303));
      return { request, back: await browser.get(await signInAt(provider.issuer, request, login)) };
    };
    return { person, accountId, browser, asked, goOn, goThere };
  }

  test('is done at the provider in a new page, and the typed form is in no URL', async () => {
    const { person, accountId, browser, asked, goOn, goThere } = await seedAsked();
    expect(asked.text).toContain('target="_blank"');
    const early = await goOn();
    expect([early.status, early.text.includes('You have not signed in again yet')]).toEqual([401, true]);
    const { request, back } = await goThere(person.email);
    expect(new URL(request).searchParams.get('prompt')).toBe('login');
    for (const value of [typed.name, 'Nightly', person.email]) expect(request).not.toContain(value);
    expect([back.status, back.text.includes('You have signed in again')]).toEqual([200, true]);
    const made = await goOn();
    expect(made.status).toBe(201);
    expect(made.text).toContain('Nightly &quot;report&quot;');
    const log = await written(accountId);
    expect(log[0]).toMatchObject({ event: 'sign_in.confirmed', facts: { with: 'identity provider' } });
    // Used up by one step-up: the page asks again later.
    await backdate(person.id, 'authenticatedAt', 30);
    expect((await postFrom(browser, '/oauth/profile', tokens, typed)).text).toContain('<h1>Sign in again</h1>');
  });

  test('as another person, after ten minutes, or for another session has no effect', async () => {
    const { person, accountId, browser, goOn, goThere } = await seedAsked();
    const colleague = await seedPerson(auth, { accountId });
    const { back } = await goThere(colleague.email);
    expect(back.status).toBe(400);
    expect((await goOn()).status).toBe(401);
    expect((await browser.get('/oauth/profile')).text).toContain(person.email);
    await goThere(person.email);
    await backdate(person.id, 'vouchedAt', 10);
    expect((await goOn()).status).toBe(401);
  });

  test('has no effect when the provider reports an earlier authentication', async () => {
    const { person, accountId, goOn, goThere } = await seedAsked();
    // Our clock is ahead of the provider's, so its `auth_time` is before the request.
    auth.clock.offset += 120_000;
    expect((await goThere(person.email)).back.status).toBe(400);
    expect((await goOn()).status).toBe(401);
    expect((await written(accountId))[0]).toMatchObject({
      facts: { because: 'The identity provider did not let the person sign in again' },
    });
  });

  test.each<[string, number | string | undefined, number]>([
    ['counts when the provider says that the person has signed in there', 0, 200],
    ['counts by a clock that is half a minute behind', -30, 200],
    ['does not count when the person has signed in there before', -31, 400],
    ['does not count when the provider does not say when that was', undefined, 400],
    ['does not count when what it says is no time', 'now', 400],
  ])('%s', async (_what, given, status) => {
    auth.clock.offset = 0;
    const key = await makeKey();
    const local = await startLocalProvider([key]);
    const { person, accountId, configuration } = await seed({ issuer: local.issuer });
    local.answers.discovery = json({ ...local.metadata, ...endpointsOf(local.issuer) });
    const browser = await openSignedIn(auth, person);
    const query = new URLSearchParams({ account: accountId, again: 'yes' }).toString();
    const begun = await browser.get(`/oauth/sign-in/provider/${configuration.id}?${query}`).expect(303);
    expect(Object.fromEntries(new URL(locationOf(begun)).searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
    });
    const at = Math.floor(auth.now().getTime() / 1000);
    const claims = { email: person.email, auth_time: typeof given === 'number' ? at + given : given };
    await browser.get(await answerOf(auth, local, key, locationOf(begun), { claims })).expect(status);
    await local.close();
  });

  test('needs a code as well where there is an authenticator app', async () => {
    const { person, accountId } = await seed();
    const browser = openBrowser(auth);
    await browser.get(await signInAt(provider.issuer, await start(browser, accountId), person.email));
    const { secret } = await addAuthenticatorApp(auth, browser);
    const people = auth.connection.collection<{ _id: number }>('people');
    await people.updateOne({ _id: person.id }, { $set: { password: null } });
    const sessions = auth.connection.collection('sessions');
    await sessions.updateMany({ personId: person.id }, { $set: { passwordSalt: null } });
    await backdate(person.id, 'authenticatedAt', 30);
    const asked = await postFrom(browser, '/oauth/profile', tokens, typed);
    const request = locationOf(await browser.get(linkIn(asked.text)).expect(303));
    await browser.get(await signInAt(provider.issuer, request, person.email)).expect(200);
    const form = Object.fromEntries(fieldsIn(asked.text)) as object;
    const goOn = (more: object) =>
      browser
        .post(tokens)
        .type('form')
        .send({ ...form, ...more });
    expect((await goOn({})).status).toBe(401);
    expect((await goOn({ confirm_code: codeNow(auth, secret, 1) })).status).toBe(201);
  });
});
