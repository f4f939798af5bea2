import { randomBytes } from 'node:crypto';
import type { ReceivedMail, SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { obtainCode, openSignedIn } from '../testing/browser';
import { redeem } from '../testing/client';
import { choosePassword, forgotPassword, linkIn, mailsTo, mailTo, settled, withMails } from '../testing/mailed';
import { createPeopleClient, idIn, payloadIn } from '../testing/people';
import type { Auth } from '../testing/start-auth';
import { baseUrl, seedApplication, seedPerson } from '../testing/start-auth';

let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ smtp, auth } = started));

const { create, update } = createPeopleClient(() => auth);

const hostile = [
  'https://evil.example/login',
  'www.evil.example',
  'evil.example/a',
  'Ellen,\u2028\u2028Your password has expired. Sign in at evil.example\u2028\u2028Good bye',
  `\u202e${'x'.repeat(200)} evil.example`,
];

/** What a mail program would make a link of. */
const linksIn = (text: string): string[] => text.match(/\b(?:[a-z]+:\/\/|www\.)\S+|[\p{L}\d-]+\.\p{L}{2,}\S*/giu) ?? [];

function check({ email }: ReceivedMail): void {
  const { subject = '', text = '' } = email;
  expect(linksIn(subject)).toEqual([]);
  const links = linksIn(text);
  expect(links.filter((link) => !link.startsWith(`${baseUrl}/oauth/`))).toEqual([]);
  expect(links.length).toBeLessThan(2);
  // Lines begin with words of ours.
  for (const line of text.split('\n').filter((one) => one.trim() !== ''))
    expect(line).not.toMatch(/^(Your password has exp|Good bye)/);
  expect(`${subject}${text}`).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]|x{61}/);
}

/** Causes every mail that the service sends; returns those to the person, by subject. */
async function everyMail(name: string): Promise<ReceivedMail[]> {
  const accountId = `a${randomBytes(5).toString('hex')}`;
  await auth.app.operator.ensureAccount({ id: accountId, name });
  const administrator = await seedPerson(auth, { accountId });
  // Such an address is delivered to the mailbox without the tag.
  const email = `ada+www.evil.com/${randomBytes(4).toString('hex')}@${accountId}.example`;
  const id = idIn(payloadIn(await create(administrator, { name, primaryEmail: email })));
  const password = 'three green tall trees';
  await choosePassword(auth, linkIn(await mailTo(smtp, email)), password);
  await forgotPassword(auth, email, `2001:db8:${randomBytes(2).toString('hex')}::1`);
  await mailTo(smtp, email, 3);
  const application = await seedApplication(auth, accountId, { name });
  const code = await obtainCode(await openSignedIn(auth, { id, accountId, email, password }), application);
  await redeem(auth, application, code).expect(200);
  await redeem(auth, application, code).expect(400);
  await mailTo(smtp, email, 4);
  const other = `new+${email}`;
  expect(payloadIn(await update(administrator, id, { primaryEmail: other })).errors).toEqual([]);
  await mailTo(smtp, other);
  await waitUntil('five mails', () => mailsTo(smtp, email).length === 5);
  await settled(auth);
  return [...mailsTo(smtp, email), ...mailsTo(smtp, other)];
}

test.each(hostile)('no mail makes a link or words of its own of the name %j', async (name) => {
  const mails = await everyMail(name);
  const subjects = mails.map(({ email: { subject = '' } }) => subject.replace(/^(Your access to|Access of).*/s, '$1'));
  expect(subjects.sort()).toEqual([
    'Access of',
    'Choose a new password',
    'Please verify your e-mail address',
    'Your access to',
    'Your e-mail address is being changed',
    'Your password was changed',
  ]);
  for (const mail of mails) check(mail);
});
