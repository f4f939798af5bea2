import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { obtainCode, openSignedIn } from '../testing/browser';
import { redeem } from '../testing/client';
import { forgotPassword, mailsTo, withMails } from '../testing/mailed';
import type { Auth, Store } from '../testing/start-auth';
import { seedApplication, seedPerson } from '../testing/start-auth';

let store: Store;
let smtp: SmtpReceiver;
let dead: Auth;
withMails((started) => ({ store, smtp, auth: dead } = started));

test('a mail and a security alert leased by a dead process are sent by another, before the leases expire', async () => {
  const person = await seedPerson(dead);
  const application = await seedApplication(dead, person.accountId, { name: 'Inventory' });
  const code = await obtainCode(await openSignedIn(dead, person), application);
  await redeem(dead, application, code).expect(200);
  smtp.hang(2);
  await forgotPassword(dead, person.email);
  await redeem(dead, application, code).expect(400);
  await waitUntil('two mails to be on their way', () => smtp.hanging() === 2);
  await dead.connection.close(true);
  // The clock stands still, so no lease expires.
  await store.start({ database: dead.database, settings: { SMTP_URL: smtp.url } });
  const mails = await waitUntil('two mails', () => {
    const found = mailsTo(smtp, person.email);
    return found.length >= 2 ? found : undefined;
  });
  smtp.release();
  const subjects = mails.map(({ email }) => email.subject).sort();
  expect(subjects).toEqual(['Access of Inventory was revoked', 'Choose a new password']);
});
