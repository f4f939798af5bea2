import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { obtainCode, openSignedIn } from '../testing/browser';
import { redeem } from '../testing/client';
import { mailsTo, mailTo, withMails } from '../testing/mailed';
import { createPeopleClient } from '../testing/people';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson } from '../testing/start-auth';

let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ smtp, auth } = started));

const { create } = createPeopleClient(() => auth);

/** Addresses that people may have, and that the server refuses. */
const refused = (n: number): string => `unknown@${n % 2 === 0 ? 'mailbox' : 'exämple'}-${n}.example`;

test('however many mails of one account the server refuses, those of another are sent', async () => {
  const [greedy, other] = [await seedPerson(auth), await seedPerson(auth)];
  for (let n = 0; n < 12; n += 1) await create(greedy, { name: 'Grace', primaryEmail: refused(n) });
  const primaryEmail = `howard@${other.accountId}.example`;
  await create(other, { name: 'Howard', primaryEmail });
  await mailTo(smtp, primaryEmail);
});

test('nor do refused security alerts hold up those of others', async () => {
  /** A code that is used twice. */
  async function replay(primaryEmail?: string): Promise<string> {
    const person = await seedPerson(auth, primaryEmail === undefined ? {} : { primaryEmail });
    const application = await seedApplication(auth, person.accountId);
    const named = { ...person, email: primaryEmail ?? person.email };
    const code = await obtainCode(await openSignedIn(auth, named), application);
    await redeem(auth, application, code).expect(200);
    await redeem(auth, application, code).expect(400);
    return named.email;
  }
  for (let n = 0; n < 4; n += 1) await replay(`unknown@alerts-${n}.example`);
  await mailTo(smtp, await replay());
});

test('a refused mail waits longer each time, an hour at most', async () => {
  const administrator = await seedPerson(auth);
  const primaryEmail = `unknown@${administrator.accountId}.example`;
  const invite = (email: string) => create(administrator, { name: 'Grace', primaryEmail: email });
  await invite(primaryEmail);
  const orders = auth.connection.collection<{ address: string; dueAt: Date; owner?: string }>('mail_orders');
  /** Minutes until the next try, after one at so many minutes. */
  const waitAfter = async (minutes: number) => {
    auth.clock.offset = minutes * 60_000;
    // An order makes the queue look for what is due.
    await invite(`next-${minutes}@${administrator.accountId}.example`);
    const { dueAt } = await waitUntil('the try', async () => {
      const found = await orders.findOne({ address: primaryEmail });
      return found && found.owner === undefined && found.dueAt > auth.now() ? found : undefined;
    });
    return (dueAt.getTime() - auth.now().getTime()) / 60_000;
  };
  const waits: number[] = [];
  for (const minutes of [0, 1, 2, 4, 24 * 60]) waits.push(await waitAfter(minutes));
  expect(waits).toEqual([1, 1, 2, 4, 60]);
  expect(mailsTo(smtp, primaryEmail)).toEqual([]);
});
