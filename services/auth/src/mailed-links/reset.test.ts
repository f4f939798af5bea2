import { randomBytes } from 'node:crypto';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { attempt, formTokenIn, openBrowser, openSignedIn } from '../testing/browser';
import { choosePassword, forgotPassword, linkIn, mailsTo, mailTo, settled, withMails } from '../testing/mailed';
import { createPeopleClient, idIn, payloadIn } from '../testing/people';
import type { Auth } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ smtp, auth } = started), { fresh: true });

const { create, colleague } = createPeopleClient(() => auth);
const password = 'three green tall trees';
const network = () => `2001:db8:${randomBytes(2).toString('hex')}::1`;

test('a person who forgot the password gets a link, chooses a new one, and is signed out everywhere', async () => {
  const person = await seedPerson(auth);
  const browser = await openSignedIn(auth, person);
  expect((await openBrowser(auth).get('/oauth/sign-in')).text).toContain('href="/oauth/forgot-password"');
  expect((await forgotPassword(auth, person.email.toUpperCase())).text).toContain('Check your mails');
  const mail = await mailTo(smtp, person.email);
  expect(mail.email.subject).toBe('Choose a new password');
  await browser.get('/oauth/profile').expect(200);
  expect((await choosePassword(auth, linkIn(mail), password)).status).toBe(200);
  await browser.get('/oauth/profile').expect(303);
  expect((await attempt(auth, person, network())).status).toBe(401);
  expect((await attempt(auth, { email: person.email, password }, network())).status).toBe(303);
  const changed = await auth.connection.collection('security_log').findOne({ event: 'password.changed' });
  expect(changed).toMatchObject({ accountIds: [person.accountId], facts: { because: 'by a mailed link' } });
});

test('the link expires after an hour, or when the password is set in another way', async () => {
  const person = await seedPerson(auth);
  await forgotPassword(auth, person.email);
  const link = linkIn(await mailTo(smtp, person.email));
  await auth.app.operator.setPassword(person.accountId, person.email, 'of the operator');
  expect((await openBrowser(auth).get(link)).status).toBe(404);
  await forgotPassword(auth, person.email);
  const other = linkIn(await mailTo(smtp, person.email, 2));
  auth.clock.offset = 3_599_000;
  await openBrowser(auth).get(other).expect(200);
  auth.clock.offset = 3_600_000;
  await openBrowser(auth).get(other).expect(404);
});

test('every address gets the same answer; people who cannot reset get no mail', async () => {
  const administrator = await seedPerson(auth);
  const disabled = await colleague(administrator);
  await auth.app.services.persons.disable(administrator.accountId, disabled.id);
  const inDisabledAccount = await seedPerson(auth);
  await auth.app.operator.setAccountDisabled(inDisabledAccount.accountId, true);
  const unverified = `new.${randomBytes(6).toString('hex')}@new.example`;
  await create(administrator, { name: 'Grace Lin', primaryEmail: unverified });
  await mailTo(smtp, unverified);
  // Like people who sign in at an identity provider.
  const withoutPassword = await colleague(administrator);
  const people = auth.connection.collection<{ _id: number }>('people');
  await people.updateOne({ _id: withoutPassword.id }, { $set: { password: null } });
  const silent = [
    disabled.email,
    inDisabledAccount.email,
    unverified,
    withoutPassword.email,
    'nobody@nowhere.example',
    'x',
    '',
    'a@b\r\nBcc: c@d.example',
  ];
  const right = await forgotPassword(auth, administrator.email);
  const plain = (text: string) => text.replaceAll(/value="[^"]*"/g, '');
  for (const email of silent) {
    const answer = await forgotPassword(auth, email);
    expect([answer.status, plain(answer.text)]).toEqual([200, plain(right.text)]);
  }
  await mailTo(smtp, administrator.email);
  await settled(auth);
  expect(silent.flatMap((email) => mailsTo(smtp, email)).map(({ email }) => email.subject)).toEqual([
    `Your access to Account ${administrator.accountId}`,
  ]);
});

test('an address in two accounts gets one mail for each, and each link changes one password', async () => {
  const one = await seedPerson(auth);
  const other = await seedPerson(auth, { primaryEmail: one.email });
  const known = { email: one.email, password: other.password };
  await forgotPassword(auth, one.email);
  const mails = [await mailTo(smtp, one.email), await mailTo(smtp, one.email, 2)];
  const mail = mails.find(({ email }) => email.text?.includes(one.accountId));
  expect(mails.some(({ email }) => email.text?.includes(other.accountId))).toBe(true);
  await choosePassword(auth, linkIn(mail ?? mails[0]!), password);
  const stored = await auth.connection
    .collection<{ _id: number; version: number }>('people')
    .findOne({ _id: other.id });
  expect(stored?.version).toBe(1);
  expect(known.password).toBe(other.password);
});

test('resets are limited to three at a time for an address and thirty for a network', async () => {
  const person = await seedPerson(auth);
  for (let count = 0; count < 5; count += 1) {
    expect((await forgotPassword(auth, person.email, network())).status).toBe(200);
  }
  await mailTo(smtp, person.email, 3);
  await settled(auth);
  expect(mailsTo(smtp, person.email)).toHaveLength(3);
  const from = network();
  const ask = async () => (await forgotPassword(auth, `${randomBytes(4).toString('hex')}@x.example`, from)).status;
  for (let count = 0; count < 30; count += 1) expect(await ask()).toBe(200);
  expect(await ask()).toBe(429);
  expect((await forgotPassword(auth, 'x@x.example', network())).status).toBe(200);
});

test('the form needs its token, and a malicious form is refused', async () => {
  const browser = openBrowser(auth);
  const form_token = formTokenIn(await browser.get('/oauth/forgot-password'));
  const post = (form: object | string) => browser.post('/oauth/forgot-password').type('form').send(form);
  await post({ email: 'a@b.example' }).expect(403);
  await post({ form_token }).expect(400);
  await post({ form_token, email: `${'a'.repeat(300)}@b.example` }).expect(400);
  await post(`form_token=${form_token}&email=a&email=b`).expect(400);
  await openBrowser(auth).put('/oauth/forgot-password').expect(405);
  expect(await auth.connection.collection('mail_orders').countDocuments()).toBe(0);
});

test('a person of another account sees nothing of it in the security log', async () => {
  const person = await seedPerson(auth);
  const id = idIn(payloadIn(await create(person, { name: 'Grace', primaryEmail: 'grace@unseen.example' })));
  await mailTo(smtp, 'grace@unseen.example');
  await settled(auth);
  const entries = await auth.connection.collection('security_log').find({ people: id }).toArray();
  expect(entries.length).toBeGreaterThan(1);
  for (const { accountIds } of entries) expect(accountIds).toEqual([person.accountId]);
});
