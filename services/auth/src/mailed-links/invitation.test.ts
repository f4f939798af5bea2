import { randomBytes } from 'node:crypto';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { parseCommand } from '../commands';
import { attempt, formTokenIn, openBrowser } from '../testing/browser';
import {
  choosePassword,
  followLink,
  forgotPassword,
  linkIn,
  mailsTo,
  mailTo,
  settled,
  tokenIn,
  withMails,
} from '../testing/mailed';
import { createPeopleClient, idIn, payloadIn } from '../testing/people';
import type { Auth, Store } from '../testing/start-auth';
import { baseUrl, seedPerson } from '../testing/start-auth';

let store: Store;
let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ store, smtp, auth } = started));

const { create, update, stored } = createPeopleClient(() => auth);
const password = 'three green tall trees';
const newEmail = () => `grace.${randomBytes(6).toString('hex')}@new.example`;

/** Creates an administrator, who creates a person. */
async function invite() {
  const administrator = await seedPerson(auth);
  const email = newEmail();
  const id = idIn(payloadIn(await create(administrator, { name: 'Grace Lin', primaryEmail: email })));
  return { administrator, id, email };
}

async function inviteWithLink() {
  const invited = await invite();
  return { ...invited, link: linkIn(await mailTo(smtp, invited.email)) };
}

const statusOfSignIn = async (email: string, given = password): Promise<number> =>
  (await attempt(auth, { email, password: given }, `2001:db8:${randomBytes(2).toString('hex')}::1`)).status;

test('an invitation and a reset reach an internationalized address, with which the person signs in', async () => {
  const administrator = await seedPerson(auth);
  const email = `ada-${randomBytes(4).toString('hex')}@bücher.example`;
  idIn(payloadIn(await create(administrator, { name: 'Ada', primaryEmail: email })));
  await choosePassword(auth, linkIn(await mailTo(smtp, email)), password);
  expect(await statusOfSignIn(email)).toBe(303);
  await mailTo(smtp, email, 2);
  // Some programs write the domain in this form.
  const inAscii = email.replace('bücher', 'xn--bcher-kva');
  expect(await statusOfSignIn(inAscii)).toBe(303);
  await forgotPassword(auth, inAscii);
  const { email: reset } = await mailTo(smtp, email, 3);
  expect(reset.subject).toBe('Choose a new password');
  const twin = payloadIn(await create(administrator, { name: 'Twin', primaryEmail: inAscii }));
  expect(twin.errors).toEqual([{ message: 'Primary email is already in use', path: ['primaryEmail'] }]);
});

test('somebody new is mailed a link, chooses a password and signs in', async () => {
  const { administrator, id, email } = await invite();
  const mail = await mailTo(smtp, email);
  expect(mail.email.subject).toBe(`Your access to Account ${administrator.accountId}`);
  expect(mail.email.text).toContain('Hello Grace Lin,');
  expect(mail.email.text).toContain(`Account ${administrator.accountId} (${administrator.accountId})`);
  expect(await stored(id)).toMatchObject({ verified: false, password: null });
  const link = linkIn(mail);
  expect(link).toMatch(/^http:\/\/localhost:4000\/oauth\/choose-password\?token=itsm_ml_\w{49}$/);

  // Mail scanners follow links too, repeatedly.
  for (let count = 0; count < 3; count += 1) {
    const { text } = await openBrowser(auth).get(link).expect(200);
    expect(text).toContain(email);
  }
  expect(await stored(id)).toMatchObject({ verified: false, password: null });

  const done = await choosePassword(auth, link, password);
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('Your password is set') as string]);
  expect(await stored(id)).toMatchObject({ verified: true });
  expect(await statusOfSignIn(email)).toBe(303);
  expect(await statusOfSignIn(email, 'another')).toBe(401);
  await mailTo(smtp, email, 2);
  expect(mailsTo(smtp, email)[1]?.email.subject).toBe('Your password was changed');

  await openBrowser(auth).get(link).expect(404);
  expect((await choosePassword(auth, link, 'another few words')).status).toBe(403);
  const events = await auth.connection.collection('security_log').find({ people: id }).sort({ _id: -1 }).toArray();
  expect(events.map(({ event }) => String(event)).slice(0, 4)).toEqual([
    'person.created',
    'password.link_sent',
    'password.changed',
    'address.verified',
  ]);
});

test('before that nobody can sign in with any password', async () => {
  const { email } = await invite();
  for (const given of ['', 'null', password]) expect(await statusOfSignIn(email, given)).toBe(401);
});

test('of two concurrent uses of a link one succeeds', async () => {
  const { link, email } = await inviteWithLink();
  const words = ['three green trees', 'seven blue rivers'];
  const answers = await Promise.all(words.map((text) => choosePassword(auth, link, text)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  const winner = words[answers.findIndex(({ status }) => status === 200)] ?? '';
  expect(await statusOfSignIn(email, winner)).toBe(303);
});

test('a password that is refused leaves the link as it was', async () => {
  const { link, email } = await inviteWithLink();
  const refused = await choosePassword(auth, link, 'qwerty123456');
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('guessed first');
  expect(refused.text).not.toContain('qwerty123456');
  const different = await choosePassword(auth, link, password, `${password}!`);
  expect([different.status, different.text]).toEqual([
    422,
    expect.stringContaining('passwords are different') as string,
  ]);
  const ownName = await choosePassword(auth, link, email);
  expect([ownName.status, ownName.text]).toEqual([422, expect.stringContaining('your address') as string]);
  expect((await choosePassword(auth, link, password)).status).toBe(200);
});

test('neither the store nor the log holds the token, and the copy of the mail is without it', async () => {
  const { link, email } = await inviteWithLink();
  await settled(auth);
  await choosePassword(auth, link, 'qwerty123456');
  const collections = (await auth.connection.listCollections()).map(({ name }) => name);
  const documents = await Promise.all(collections.map((name) => auth.connection.collection(name).find().toArray()));
  const dump = JSON.stringify(documents) + auth.log.join('\n');
  expect(dump).not.toContain(tokenIn(link));
  expect(await auth.connection.collection('mails').findOne({ to: email })).toMatchObject({
    text: expect.stringContaining('/oauth/choose-password?token=…') as string,
  });
});

type Invited = Awaited<ReturnType<typeof inviteWithLink>>;

test.each<[string, (invited: Invited) => Promise<unknown>]>([
  ['the address changes', ({ administrator, id }) => update(administrator, id, { primaryEmail: newEmail() })],
  [
    'the person is disabled, and enabled again',
    async ({ administrator, id }) => {
      await update(administrator, id, { disabled: true });
      await update(administrator, id, { disabled: false });
    },
  ],
  [
    'the account is disabled',
    ({ administrator }) => auth.app.operator.setAccountDisabled(administrator.accountId, true),
  ],
  [
    'the operator sets a password',
    ({ administrator, email }) => auth.app.operator.setPassword(administrator.accountId, email, 'of the operator'),
  ],
  ['a week has passed', () => Promise.resolve(void (auth.clock.offset = 7 * 86_400_000))],
  [
    'another link was used',
    async ({ administrator, email }) => {
      const { url } = await auth.app.operator.makeLink(administrator.accountId, email);
      await choosePassword(auth, url, 'by the other link');
    },
  ],
])('the link ends when %s, also for a page that was opened before', async (_why, act) => {
  const invited = await inviteWithLink();
  const browser = openBrowser(auth);
  const page = await browser.get(invited.link).expect(200);
  await act(invited);
  await openBrowser(auth).get(invited.link).expect(404);
  const form = { form_token: formTokenIn(page), token: tokenIn(invited.link), password, again: password };
  const late = await browser.post('/oauth/choose-password').type('form').send(form);
  expect([late.status, late.text]).toEqual([404, expect.stringContaining('cannot be used') as string]);
  expect(await statusOfSignIn(invited.email)).toBe(401);
});

test.each([
  ['nothing', ''],
  ['junk', '?token=junk'],
  ['one of the right form that never was', '?token=itsm_ml_00000000000000000000000000000000000000000000000000'],
  ['several', '?token=a&token=b'],
  ['an object', '?token[$ne]=x'],
  ['a very long one', `?token=${'a'.repeat(5000)}`],
])('%s as the token leads nowhere', async (_what, query) => {
  for (const page of ['choose-password', 'verify-address']) {
    const { text } = await openBrowser(auth).get(`/oauth/${page}${query}`).expect(404);
    expect(text).toContain('This link cannot be used');
  }
});

test('a link is valid only for its own page, and a form only in the browser that opened it', async () => {
  const { link } = await inviteWithLink();
  await openBrowser(auth).get(link.replace('choose-password', 'verify-address')).expect(404);
  const page = await openBrowser(auth).get(link);
  const form = { form_token: formTokenIn(page), token: tokenIn(link), password, again: password };
  await openBrowser(auth).post('/oauth/choose-password').type('form').send(form).expect(403);
  await openBrowser(auth)
    .post('/oauth/choose-password')
    .type('form')
    .send({ token: tokenIn(link), password })
    .expect(403);
  const long = { ...form, password: 'x'.repeat(2000), again: 'x'.repeat(2000) };
  const browser = openBrowser(auth);
  long.form_token = formTokenIn(await browser.get(link));
  await browser.post('/oauth/choose-password').type('form').send(long).expect(400);
  expect((await choosePassword(auth, link, password)).status).toBe(200);
});

test('a mail that the server refuses is retried, and its link works', async () => {
  await settled(auth);
  smtp.refuse(1);
  const { email } = await invite();
  const waiting = { kind: 'address', dueAt: { $gt: auth.now(), $lte: new Date(auth.now().getTime() + 61_000) } };
  await waitUntil('the failed try', () => auth.connection.collection('mail_orders').findOne(waiting));
  expect(mailsTo(smtp, email)).toEqual([]);
  auth.clock.offset = 61_000;
  // Another process finds the waiting order.
  await store.start({ database: auth.database, settings: { SMTP_URL: smtp.url } });
  const link = linkIn(await mailTo(smtp, email));
  expect((await choosePassword(auth, link, password)).status).toBe(200);
});

test('one address gets at most three links at a time, from any number of accounts', async () => {
  const email = newEmail();
  for (let count = 0; count < 4; count += 1) {
    await create(await seedPerson(auth), { name: 'Grace Lin', primaryEmail: email });
  }
  await mailTo(smtp, email, 3);
  await waitUntil('the fourth to wait', async () => {
    const waiting = await auth.connection.collection('mail_orders').find({ address: email }).toArray();
    return waiting.length === 1 && waiting.every(({ dueAt }) => (dueAt as Date) > auth.now());
  });
  expect(mailsTo(smtp, email)).toHaveLength(3);
});

test('the operator makes a link where no mail can be sent', async () => {
  const quiet = await store.start();
  const { accountId } = await seedPerson(quiet);
  const email = newEmail();
  const input = { name: 'Grace Lin', primaryEmail: email };
  const administrator = { personId: 1, name: 'Ellen', accountId, roles: ['account_administrator'] as const };
  await quiet.app.services.personAdministration.create(accountId, administrator, input);
  await settled(quiet);
  expect(quiet.log.some((line) => line.includes('make-link'))).toBe(true);
  expect(await quiet.connection.collection('mailed_links').countDocuments()).toBe(0);
  const command = (account: string) =>
    parseCommand(['make-link', '--account', account, '--email', email], undefined)(quiet.app.operator, baseUrl);
  await expect(command('other')).rejects.toThrow(`Account other has nobody with the address ${email}`);
  const link = /^http\S+/m.exec(await command(accountId))?.[0] ?? '';
  const done = await followLink(quiet, link, { password, again: password });
  expect(done.status).toBe(200);
  expect((await attempt(quiet, { email, password }, '203.0.113.1')).status).toBe(303);
  const { text } = await openBrowser(quiet).get('/oauth/forgot-password').expect(200);
  expect(text).toContain('This installation sends no mails');
});
