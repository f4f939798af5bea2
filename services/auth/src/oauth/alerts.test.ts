import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { obtainCode, openSignedIn } from '../testing/browser';
import { pairIn, redeem, refresh } from '../testing/client';
import { withMails } from '../testing/mailed';
import type { Auth, Store } from '../testing/start-auth';
import { seedApplication, seedPerson } from '../testing/start-auth';

let store: Store;
let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ store, smtp, auth } = started));

/** Creates a person without an administrator's role, an administrator, and an application that the person has allowed. */
async function seed(on = auth) {
  const administrator = await seedPerson(on);
  const { accountId } = administrator;
  const person = await seedPerson(on, { accountId, roles: ['end_user'] });
  const application = await seedApplication(on, accountId, { name: 'Inventory' });
  const browser = await openSignedIn(on, person);
  return { administrator, person, application, browser };
}

const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));

test('a code that is used twice causes one mail to the person and the administrators of the application', async () => {
  const { administrator, person, application, browser } = await seed();
  const code = await obtainCode(browser, application);
  await redeem(auth, application, code).expect(200);
  await redeem(auth, application, code).expect(400);
  await redeem(auth, application, code).expect(400);
  const [mail] = await waitUntil('the mail', () => {
    const mails = mailsTo(person.email);
    return mails.length > 0 ? mails : undefined;
  });
  expect(new Set(mail?.to)).toEqual(new Set([administrator.email, person.email]));
  expect(mail?.email.subject).toBe('Access of Inventory was revoked');
  expect(mail?.email.text).toContain('An authorization code was used a second time');
  expect(mail?.email.text).toContain('http://localhost:4000/oauth/profile');
  expect(mail?.raw).not.toContain(code);
  // An alert that was sent is not due again when its lease is over; it would come first.
  auth.clock.offset = 181_000;
  const other = await seed();
  const another = await obtainCode(other.browser, other.application);
  await redeem(auth, other.application, another).expect(200);
  await redeem(auth, other.application, another).expect(400);
  await waitUntil('the other mail', () => mailsTo(other.person.email).length > 0);
  expect(mailsTo(person.email)).toHaveLength(1);
});

test('so does a refresh token that is used again after its successor, also after an outage of the mail server', async () => {
  const { person, application, browser } = await seed();
  const first = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  await refresh(auth, application, first.refresh_token).expect(200);
  auth.clock.offset = 60_000;
  smtp.refuse(1);
  await refresh(auth, application, first.refresh_token).expect(400);
  const soon = () => ({ dueAt: { $lte: new Date(auth.now().getTime() + 61_000) } });
  const alerts = auth.connection.collection('alerts');
  await waitUntil('the failed try', () => auth.log.some((line) => line.includes('waits for its next try')));
  await waitUntil('the failed try to be postponed', async () => (await alerts.countDocuments(soon())) > 0);
  expect(mailsTo(person.email)).toEqual([]);
  auth.clock.offset = 180_000;
  auth.app.services.alerts.start();
  const mails = await waitUntil('the mail', () => {
    const found = mailsTo(person.email);
    return found.length > 0 ? found : undefined;
  });
  expect(mails[0]?.email.text).toContain('A refresh token was used again');
  expect(mails[0]?.raw).not.toContain(first.refresh_token);
});

test('no mail goes to an unverified address', async () => {
  const { administrator, person, application, browser } = await seed();
  const change = { primaryEmail: `somebody.else@${person.accountId}.example` };
  const editor = {
    personId: administrator.id,
    name: 'Ellen',
    accountId: person.accountId,
    roles: ['account_administrator'] as const,
  };
  const code = await obtainCode(browser, application);
  await auth.app.services.personAdministration.update(person.accountId, editor, person.id, change);
  await redeem(auth, application, code).expect(200);
  await redeem(auth, application, code).expect(400);
  const [mail] = await waitUntil('the mail', () => {
    const mails = mailsTo(administrator.email);
    return mails.length > 0 ? mails : undefined;
  });
  expect(mail?.email.subject).toBe('Access of Inventory was revoked');
  expect(mail?.to).toEqual([administrator.email]);
});

test('without a mail server the mail stays in the queue', async () => {
  const quiet = await store.start();
  const { person, application, browser } = await seed(quiet);
  const code = await obtainCode(browser, application);
  await redeem(quiet, application, code).expect(200);
  await redeem(quiet, application, code).expect(400);
  const mails = quiet.connection.collection('mails');
  await waitUntil('the mail', async () => (await mails.countDocuments({ to: person.email, sentAt: null })) === 1);
});
