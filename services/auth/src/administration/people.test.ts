import { randomBytes } from 'node:crypto';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { attempt, formTokenIn, locationOf, openBrowser, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { choosePassword, linkIn, mailsTo, mailTo, withMails } from '../testing/mailed';
import { createPeopleClient, idIn, payloadIn } from '../testing/people';
import type { Auth, Store } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let store: Store;
let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ store, smtp, auth } = started));

const { create, colleague } = createPeopleClient(() => auth);
const list = '/oauth/administration/people';
const password = 'three green tall trees';

async function seed() {
  const administrator = await seedPerson(auth);
  const email = `grace.${randomBytes(6).toString('hex')}@new.example`;
  const id = idIn(payloadIn(await create(administrator, { name: 'Grace <Lin>', primaryEmail: email })));
  return { administrator, email, id, browser: await openSignedIn(auth, administrator) };
}

async function sendLink(browser: Browser, id: number | string) {
  const form_token = formTokenIn(await browser.get(list));
  return browser.post(`${list}/${id}/send-link`).type('form').send({ form_token });
}

test('an administrator sees who has not followed the link, and sends it again', async () => {
  const { administrator, email, id, browser } = await seed();
  const howard = await colleague(administrator, { name: 'Howard Tanner' });
  const first = linkIn(await mailTo(smtp, email));
  const { text } = await browser.get(list).expect(200);
  expect(text).toContain('Grace &lt;Lin&gt; <span class="badge">Address not verified</span>');
  expect(text).toContain(`action="${list}/${id}/send-link"`);
  expect(text).not.toContain(`action="${list}/${howard.id}/send-link"`);
  auth.clock.offset = 6 * 86_400_000;
  const again = await openSignedIn(auth, administrator);
  const sent = await sendLink(again, id);
  expect([sent.status, locationOf(sent)]).toEqual([303, `${list}?done=link`]);
  expect((await again.get(locationOf(sent)).expect(200)).text).toContain('The link was sent.');
  const second = linkIn(await mailTo(smtp, email, 2));
  const log = auth.connection.collection('security_log');
  expect(await log.findOne({ people: id, event: 'person.link_asked' })).toMatchObject({
    actor: { id: administrator.id },
    accountIds: [administrator.accountId],
  });
  // One loop sends mails of many requests, so an entry must not get the person and network of another request.
  const sentBy = await waitUntil('the entries about both mails', async () => {
    const entries = await log.find({ people: id, event: 'password.link_sent' }).toArray();
    return entries.length > 1 ? entries : undefined;
  });
  expect(sentBy.map(({ actor, ip, requestId }): unknown[] => [actor, ip, requestId])).toEqual([
    [null, null, null],
    [null, null, null],
  ]);
  auth.clock.offset = 8 * 86_400_000;
  await openBrowser(auth).get(first).expect(404);
  expect((await choosePassword(auth, second, password)).status).toBe(200);
  expect((await attempt(auth, { email, password }, '203.0.113.77')).status).toBe(303);
  const after = await openSignedIn(auth, administrator);
  expect((await after.get(list)).text).not.toContain('Address not verified');
  const needless = await sendLink(after, id);
  expect([needless.status, needless.text]).toEqual([422, expect.stringContaining('needs no link') as string]);
});

test('the list is searched by name and address and goes on over pages', async () => {
  const { administrator, browser } = await seed();
  // A search finds beginnings of words of addresses too. Those are hexadecimal here, so none begins with an x.
  for (let n = 0; n < 51; n += 1) await colleague(administrator, { name: `Person x${String(n).padStart(2, '0')}` });
  const first = await browser.get(list).expect(200);
  expect(first.text.match(/class="name"/g)).toHaveLength(50);
  const next = /href="([^"]*after=[^"]*)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await browser.get(next).expect(200);
  expect(second.text.match(/class="name"/g)).toHaveLength(3);
  expect(second.text).toContain('Person x50');
  expect((await browser.get(`${list}?q=person+x07`)).text.match(/class="name"/g)).toHaveLength(1);
  expect((await browser.get(`${list}?q=nobody`)).text).toContain('Nobody matches.');
  await browser.get(`${list}?q=${'a'.repeat(200)}`).expect(400);
  await browser.get(`${list}?after=junk`).expect(400);
});

test('another account sees nobody and sends nothing', async () => {
  const { email, id } = await seed();
  await mailTo(smtp, email);
  const other = await seed();
  expect((await other.browser.get(list)).text).not.toContain(email);
  for (const wrong of [id, 'x', '1e9', '%00', '-1']) expect((await sendLink(other.browser, wrong)).status).toBe(404);
  const specialist = await openSignedIn(auth, await colleague(other.administrator, { roles: ['specialist'] }));
  await specialist.get(list).expect(403);
  const form_token = formTokenIn(await specialist.get('/oauth/profile'));
  await specialist.post(`${list}/${other.id}/send-link`).type('form').send({ form_token }).expect(403);
  await other.browser.post(`${list}/${other.id}/send-link`).type('form').send({}).expect(403);
  const stranger = await openBrowser(auth).get(list);
  expect(locationOf(stranger)).toBe(`/oauth/sign-in?next=${encodeURIComponent(list)}`);
  expect(mailsTo(smtp, email)).toHaveLength(1);
});

test('one person gets at most three at a time', async () => {
  const { email, id, browser } = await seed();
  await mailTo(smtp, email);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await sendLink(browser, id)).status);
  expect(statuses).toEqual([303, 303, 303, 429]);
});

test('without a mail server the page says what to do', async () => {
  const quiet = await store.start();
  const administrator = await seedPerson(quiet);
  const browser = await openSignedIn(quiet, administrator);
  const { text } = await browser.get(list).expect(200);
  expect(text).toContain(`make-link --account ${administrator.accountId}`);
  expect(text).not.toContain('send-link');
});

test('an administrator signs a person out everywhere, who signs in again', async () => {
  const { administrator, browser } = await seed();
  const person = await colleague(administrator);
  const theirs = [await openSignedIn(auth, person), await openSignedIn(auth, person)];
  const end = async (by: Browser, id: number | string, more: object = {}) => {
    const form_token = formTokenIn(await by.get('/oauth/profile'));
    return by
      .post(`${list}/${id}/end-sessions`)
      .type('form')
      .send({ form_token, ...more });
  };
  const stranger = await seedPerson(auth);
  expect((await end(await openSignedIn(auth, stranger), person.id)).status).toBe(404);
  expect((await end(await openSignedIn(auth, await colleague(administrator)), person.id)).status).toBe(403);
  expect((await end(browser, 'x')).status).toBe(404);
  await browser.post(`${list}/${person.id}/end-sessions`).type('form').send({}).expect(403);
  auth.clock.offset = 30 * 60_000;
  const asked = await end(browser, person.id);
  expect(asked.text).toContain('<h1>Sign in again</h1>');
  for (const one of theirs) await one.get('/oauth/profile').expect(200);
  const ended = await end(browser, person.id, { confirm_again: 'yes', confirm_password: administrator.password });
  expect(locationOf(ended)).toBe(`${list}?done=signed-out`);
  expect((await browser.get(locationOf(ended))).text).toContain('signed out in all browsers');
  for (const one of theirs) await one.get('/oauth/profile').expect(303);
  const log = auth.connection.collection('security_log');
  expect(await log.findOne({ people: person.id, event: 'session.all_ended' })).toMatchObject({
    actor: { id: administrator.id },
    facts: { sessions: 2 },
  });
  expect((await attempt(auth, person, '203.0.113.77')).status).toBe(303);
});
