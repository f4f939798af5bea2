import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { mailsTo, mailTo, settled, withMails } from '../testing/mailed';
import { entriesOf, rowsOf, sendRows } from '../testing/people-files';
import { seedPerson } from '../testing/start-auth';
import type { Auth } from '../testing/start-auth';

let smtp: SmtpReceiver;
let auth: Auth;
withMails((started) => ({ smtp, auth } = started));

const headers = ['Name', 'Primary email'];

test('nobody is mailed about a new person unless the import invites', async () => {
  const ellen = await seedPerson(auth);
  const row = (name: string) => [name, `${name}@${ellen.accountId}.example`];
  await sendRows(auth, rowsOf(ellen, [headers, row('ada')]));
  await sendRows(auth, rowsOf(ellen, [headers, row('bob')], { invites: true }));
  const { email } = await mailTo(smtp, `bob@${ellen.accountId}.example`);
  expect(email.text).toContain('/oauth/choose-password?token=');
  // A new address of somebody who was never mailed is not mailed either.
  await sendRows(
    auth,
    rowsOf(ellen, [
      ['Name', 'Source ID', 'Source', 'Primary email'],
      ['ada', '1', 'HR', row('ada')[1] ?? ''],
    ]),
  );
  await sendRows(
    auth,
    rowsOf(ellen, [
      ['Source ID', 'Source', 'Primary email'],
      ['1', 'HR', `ada2@${ellen.accountId}.example`],
    ]),
  );
  await settled(auth);
  for (const name of ['ada', 'ada2']) expect(mailsTo(smtp, `${name}@${ellen.accountId}.example`)).toEqual([]);
});

test('who could sign in with the former address hears of the new one there, and has to prove it', async () => {
  const ellen = await seedPerson(auth);
  const address = `ellen@new-${ellen.accountId}.example`;
  await sendRows(
    auth,
    rowsOf(ellen, [
      ['ID', 'Primary email'],
      [String(ellen.id), address],
    ]),
  );
  await mailTo(smtp, address);
  await mailTo(smtp, ellen.email);
});

test('the security log says who has sent the file, and webhooks hear nothing', async () => {
  const ellen = await seedPerson(auth);
  const { length: events } = auth.published.events;
  const made = rowsOf(ellen, [headers, ['Ada', `ada@${ellen.accountId}.example`]]);
  await sendRows(auth, made);
  const changed = rowsOf(ellen, [
    [...headers, 'Disabled'],
    ['Ada L.', `ada@${ellen.accountId}.example`, 'yes'],
  ]);
  await sendRows(auth, changed);
  const by = { accountId: ellen.accountId, id: ellen.id, name: 'Ellen Brown' };
  const entry = (name: string, facts: object): unknown =>
    expect.objectContaining({ person: { name }, actor: by, facts });
  const { accountId } = ellen;
  expect(await entriesOf(auth, accountId, 'person.created')).toContainEqual(entry('Ada', { import: made.importId }));
  expect(await entriesOf(auth, accountId, 'person.updated')).toEqual([
    entry('Ada L.', { members: ['name'], import: changed.importId }),
  ]);
  expect(await entriesOf(auth, accountId, 'person.disabled')).toEqual([entry('Ada L.', { import: changed.importId })]);
  expect(auth.published.events).toHaveLength(events);
  expect(auth.published.people).toContainEqual(expect.objectContaining({ name: 'Ada L.', disabled: true }));
});
