import { randomBytes } from 'node:crypto';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { Response } from 'supertest';
import { attempt, formTokenIn, locationOf, openBrowser, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { followLink, linkIn, mailsTo, mailTo, settled, withMails } from '../testing/mailed';
import { createPeopleClient } from '../testing/people';
import type { Auth, SeededPerson, Store } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let store: Store;
let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ store, smtp, auth } = started));

const { colleague, stored, update } = createPeopleClient(() => auth);
const password = 'three green tall trees';
const newEmail = () => `new.${randomBytes(6).toString('hex')}@new.example`;
const network = () => `2001:db8:${randomBytes(2).toString('hex')}::1`;
const signsIn = async (email: string, given: string) =>
  (await attempt(auth, { email, password: given }, network())).status === 303;

async function seed() {
  const person = await seedPerson(auth, { roles: ['end_user'] });
  return { person, browser: await openSignedIn(auth, person) };
}

async function submit(browser: Browser, page: 'password' | 'address', fields: object): Promise<Response> {
  const action = `/oauth/profile/${page}`;
  const form_token = formTokenIn(await browser.get(action));
  return browser
    .post(action)
    .type('form')
    .send({ form_token, ...fields });
}

const changePassword = (browser: Browser, { password: current }: SeededPerson, text = password, again = text) =>
  submit(browser, 'password', { current, password: text, again });
const changeAddress = (browser: Browser, { password: current }: SeededPerson, primaryEmail: string) =>
  submit(browser, 'address', { current, primaryEmail });

describe('the password', () => {
  test('is changed by its owner, who stays signed in only in this browser', async () => {
    const { person, browser } = await seed();
    const elsewhere = await openSignedIn(auth, person);
    const done = await changePassword(browser, person);
    expect([done.status, locationOf(done)]).toEqual([303, '/oauth/profile?done=password']);
    expect((await browser.get('/oauth/profile?done=password').expect(200)).text).toContain('Your password is changed,');
    await elsewhere.get('/oauth/profile').expect(303);
    expect([await signsIn(person.email, person.password), await signsIn(person.email, password)]).toEqual([
      false,
      true,
    ]);
    const mail = await mailTo(smtp, person.email);
    expect(mail.email.subject).toBe('Your password was changed');
    expect(mail.raw).not.toContain(password);
    const entry = await auth.connection
      .collection('security_log')
      .findOne({ people: person.id, event: 'password.changed' });
    expect(entry).toMatchObject({ accountIds: [person.accountId], facts: { because: 'by the person' } });
  });

  test.each([
    ['is the same twice', password, 'another of them', /passwords are different/],
    ['is long enough', 'short', 'short', /12 to 256 characters/],
    ['is none of the common ones', 'qwerty123456', 'qwerty123456', /guessed first/],
    ['is not the name of its owner', 'Ellen Brown!!', 'Ellen Brown!!', /your name/],
  ])('%s', async (_what, text, again, problem) => {
    const { person, browser } = await seed();
    const refused = await changePassword(browser, person, text, again);
    expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(problem) as string]);
    expect(refused.text).not.toContain(`value="${text}"`);
    expect(await signsIn(person.email, person.password)).toBe(true);
  });

  test('is not changed with the session alone, and guessing is throttled', async () => {
    const { person, browser } = await seed();
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      statuses.push((await changePassword(browser, { ...person, password: `guess ${count}` })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
    expect((await changePassword(browser, person)).status).toBe(429);
    auth.clock.offset = 60_000;
    expect((await changePassword(browser, person)).status).toBe(303);
  });

  test('of two concurrent changes one succeeds', async () => {
    const { person, browser } = await seed();
    const other = await openSignedIn(auth, person);
    const words = ['three green trees', 'seven blue rivers'];
    const answers = await Promise.all([
      changePassword(browser, person, words[0]),
      changePassword(other, person, words[1]),
    ]);
    const won = answers.map(({ status }) => status === 303);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect([await signsIn(person.email, words[0] ?? ''), await signsIn(person.email, words[1] ?? '')]).toEqual(won);
  });

  test('does not exist where an identity provider signs people in', async () => {
    const { person, browser } = await seed();
    const people = auth.connection.collection<{ _id: number }>('people');
    const salt = (await stored(person.id))?.['password'];
    await people.updateOne({ _id: person.id }, { $set: { password: null } });
    await auth.connection.collection('sessions').updateMany({ personId: person.id }, { $set: { passwordSalt: null } });
    for (const page of ['password', 'address']) {
      const { text } = await browser.get(`/oauth/profile/${page}`).expect(200);
      expect(text).toContain('You have no password here');
    }
    const form_token = formTokenIn(await browser.get('/oauth/profile'));
    const form = { form_token, current: '', password, again: password };
    await browser.post('/oauth/profile/password').type('form').send(form).expect(422);
    expect(salt).toBeTruthy();
    expect(await stored(person.id)).toMatchObject({ password: null });
  });
});

describe('the address', () => {
  test('changes only when the person has followed the link sent to the new one', async () => {
    const { person, browser } = await seed();
    const email = newEmail();
    const asked = await changeAddress(browser, person, email);
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining(`<strong>${email}</strong>`) as string]);
    expect((await mailTo(smtp, person.email)).email.subject).toBe('Your e-mail address is being changed');
    const link = linkIn(await mailTo(smtp, email));
    expect(await stored(person.id)).toMatchObject({ primaryEmail: person.email, verified: true });
    expect([await signsIn(person.email, person.password), await signsIn(email, person.password)]).toEqual([
      true,
      false,
    ]);

    expect((await followLink(auth, link)).status).toBe(200);
    expect(await stored(person.id)).toMatchObject({ primaryEmail: email, verified: true });
    expect([await signsIn(person.email, person.password), await signsIn(email, person.password)]).toEqual([
      false,
      true,
    ]);
    await openBrowser(auth).get(link).expect(404);
    const { events } = auth.published;
    expect(events.filter(({ object }) => object.id === person.id).map(({ event }) => event)).toEqual(['person.update']);
  });

  test("cannot be a colleague's or malformed, and needs the password", async () => {
    const { person, browser } = await seed();
    const other = await colleague(person);
    const ask = async (email: string, as = person) => {
      const { status, text } = await changeAddress(browser, as, email);
      return [status, text] as const;
    };
    expect(await ask(other.email)).toEqual([422, expect.stringContaining('The new e-mail address is already in use')]);
    expect(await ask(person.email)).toEqual([422, expect.stringContaining('already your address')]);
    expect(await ask('nobody')).toEqual([422, expect.stringContaining('is not an e-mail address')]);
    expect(await ask(`${'a'.repeat(300)}@b.example`)).toEqual([422, expect.stringContaining('too long')]);
    expect(await ask(newEmail(), { ...person, password: 'wrong' })).toEqual([422, expect.stringContaining('is wrong')]);
    await settled(auth);
    expect(mailsTo(smtp, other.email)).toEqual([]);
    expect(mailsTo(smtp, person.email)).toEqual([]);
  });

  test('of a colleague is not taken by a link sent before they had it', async () => {
    const administrator = await seedPerson(auth);
    const person = await colleague(administrator);
    const other = await colleague(administrator);
    const email = newEmail();
    await changeAddress(await openSignedIn(auth, person), person, email);
    const link = linkIn(await mailTo(smtp, email));
    await update(administrator, other.id, { primaryEmail: email });
    expect((await followLink(auth, link)).status).toBe(404);
    expect(await stored(person.id)).toMatchObject({ primaryEmail: person.email });
  });

  test('is not changed by using a link a second time', async () => {
    const { person, browser } = await seed();
    const email = newEmail();
    await changeAddress(browser, person, email);
    const link = linkIn(await mailTo(smtp, email));
    expect((await followLink(auth, link)).status).toBe(200);
    await changeAddress(browser, person, person.email);
    // The first mail to this address was the notice of the previous change.
    expect((await followLink(auth, linkIn(await mailTo(smtp, person.email, 2)))).status).toBe(200);
    expect(await stored(person.id)).toMatchObject({ primaryEmail: person.email });
    expect((await followLink(auth, link)).status).toBe(403);
    await openBrowser(auth).get(link).expect(404);
    expect(await stored(person.id)).toMatchObject({ primaryEmail: person.email });
  });

  test('can be requested three times at once', async () => {
    const { person, browser } = await seed();
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await changeAddress(browser, person, newEmail())).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('cannot be changed where no mails are sent, which the page says', async () => {
    const quiet = await store.start();
    const person = await seedPerson(quiet);
    const browser = await openSignedIn(quiet, person);
    const { text } = await browser.get('/oauth/profile/address').expect(200);
    expect(text).toContain('This installation sends no mails.');
    const form_token = formTokenIn(await browser.get('/oauth/profile'));
    const form = { form_token, current: person.password, primaryEmail: newEmail() };
    await browser.post('/oauth/profile/address').type('form').send(form).expect(200);
    expect(await quiet.connection.collection('mail_orders').countDocuments()).toBe(0);
  });
});

test.each(['password', 'address'])(
  'the page of the %s is for those who are signed in, and its form for its own session',
  async (page) => {
    const address = `/oauth/profile/${page}`;
    const leads = [await openBrowser(auth).get(address), await openBrowser(auth).post(address)].map(locationOf);
    expect(leads).toEqual([
      `/oauth/sign-in?next=${encodeURIComponent(address)}`,
      '/oauth/sign-in?next=%2Foauth%2Fprofile',
    ]);
    const { browser } = await seed();
    const other = await seed();
    const form_token = formTokenIn(await other.browser.get(address));
    await browser.post(address).type('form').send({ form_token }).expect(403);
    const own = formTokenIn(await browser.get(address));
    await browser.post(address).type('form').send({ form_token: own }).expect(400);
    await browser
      .post(address)
      .type('form')
      .send(`form_token=${own}&current=a&current=b&password=a&again=a`)
      .expect(400);
    await browser.put(address).expect(405);
  },
);
