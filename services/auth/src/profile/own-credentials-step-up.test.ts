import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { formTokenIn, locationOf, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { addAuthenticatorApp, codeNow, postFrom } from '../testing/factors';
import { mailsTo, settled, withMails } from '../testing/mailed';
import type { Auth } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let auth: Auth;
let smtp: SmtpReceiver;
withMails((started) => ({ auth, smtp } = started));

const half = 30 * 60_000;
const password = 'three green tall trees';
const tokens = '/oauth/profile/personal-access-tokens';

async function seed() {
  const person = await seedPerson(auth);
  return { person, browser: await openSignedIn(auth, person) };
}

const pages = [
  ['/oauth/profile/password', { password, again: password }],
  ['/oauth/profile/address', { primaryEmail: 'new@new.example' }],
] as const;

const endOf = async (browser: Browser) =>
  ((await browser.get('/oauth/session').expect(200)).body as { expires_at: string }).expires_at;

test.each(pages)(
  '%s needs a recent sign-in with the second factor before the form is shown',
  async (address, typed) => {
    const { person, browser } = await seed();
    const { secret } = await addAuthenticatorApp(auth, browser);
    const opened = await browser.get(address).expect(200);
    expect(opened.text).not.toContain('Sign in again');
    auth.clock.offset = half;

    // A form opened before leads to the step-up too, and is neither carried out nor kept.
    const form = { form_token: formTokenIn(opened), current: person.password, ...typed };
    const late = await browser.post(address).type('form').send(form).expect(200);
    const asked = await browser.get(address).expect(200);
    for (const { text } of [late, asked]) {
      expect(text).toContain('<h1>Sign in again</h1>');
      for (const secretText of [person.password, ...Object.values(typed)]) expect(text).not.toContain(secretText);
    }
    const confirm = (more: object) =>
      postFrom(browser, address, address, { confirm_again: 'yes', confirm_password: person.password, ...more });
    expect((await confirm({})).status).toBe(401);
    const confirmed = await confirm({ confirm_code: codeNow(auth, secret) });
    expect([confirmed.status, locationOf(confirmed)]).toEqual([303, address]);
    expect((await browser.get(address).expect(200)).text).toContain('Current password');
    await settled(auth);
    expect([mailsTo(smtp, person.email), mailsTo(smtp, 'new@new.example')]).toEqual([[], []]);

    const done = await postFrom(browser, address, address, { current: person.password, ...typed });
    expect([200, 303]).toContain(done.status);
    expect(done.text).not.toContain('role="alert"');
  },
);

test("a new password does not renew the session's age or expiry", async () => {
  const { person, browser } = await seed();
  const before = await endOf(browser);
  auth.clock.offset = half - 1;
  const form = { current: person.password, password, again: password };
  await postFrom(browser, '/oauth/profile/password', '/oauth/profile/password', form).then(({ status }) =>
    expect(status).toBe(303),
  );
  expect(await endOf(browser)).toBe(before);
  const typed = { name: 'Mine', days: '90', action: 'me:Name' };
  expect((await postFrom(browser, '/oauth/profile', tokens, typed)).status).toBe(201);
  auth.clock.offset = half;
  const asked = await postFrom(browser, '/oauth/profile', tokens, { ...typed, name: 'Another' });
  expect([asked.status, asked.text.includes('<h1>Sign in again</h1>')]).toEqual([200, true]);
});

test('a person without a password sees that there is none, with or without a recent sign-in', async () => {
  const { person, browser } = await seed();
  await auth.connection
    .collection<{ _id: number }>('people')
    .updateOne({ _id: person.id }, { $set: { password: null } });
  await auth.connection.collection('sessions').updateMany({ personId: person.id }, { $set: { passwordSalt: null } });
  auth.clock.offset = half;
  for (const [address] of pages) expect((await browser.get(address).expect(200)).text).toContain('no password here');
});
