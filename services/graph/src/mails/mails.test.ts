import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { ReceivedMail, SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startNotices } from '../testing/notice-kit';
import { baseUrl, nodeId } from '../testing/start-graph';

let smtp: SmtpReceiver;
let kit: Awaited<ReturnType<typeof startNotices>>;
beforeAll(async () => {
  smtp = await startSmtpReceiver();
  kit = await startNotices({ smtpUrl: smtp.url, mailFrom: 'Desk <desk@wdc.example>', mailPollMilliseconds: 20 });
});
beforeEach(async () => {
  await kit.clear();
  received = smtp.mails.length;
});
afterAll(async () => {
  await kit.close();
  await smtp.close();
});

/** Mails before this test. */
let received = 0;
const mails = (): readonly ReceivedMail[] => smtp.mails.slice(received);
const to = (name: string): readonly ReceivedMail[] => mails().filter((mail) => mail.to[0] === `${name}@wdc.example`);
const mailTo = (name: string, count = 1): Promise<ReceivedMail> =>
  waitUntil(`mail ${count} to ${name}`, () => to(name)[count - 1]);
const textOf = ({ email }: ReceivedMail): string => (email.text ?? '').replaceAll('\r\n', '\n');

const later = (seconds: number): void => {
  kit.graph.clock.pass(seconds * 1_000);
};
/** Resolves when nobody waits for a mail that is due. */
const sent = (): Promise<unknown> =>
  waitUntil('all mails that are due', async () => {
    const due = { $or: [{ dueAt: { $lte: kit.graph.clock.now() } }, { owner: { $exists: true } }] };
    return (await kit.graph.connection.collection('notice_mails').findOne(due)) === null;
  });
async function aMinuteLater(): Promise<void> {
  await kit.graph.settled();
  later(61);
  await sent();
}
const grace = () => kit.create('grace');

test('what is unread after a minute is mailed: why, the public notes, where it is, and how to choose', async () => {
  const { id, number } = await grace();
  await kit.note('mia', id, false, 'Since when?\nAnd @[howard](person:2) asks: where?');
  await kit.note('mia', id, true, 'A secret.');
  await kit.note('howard', id, false, 'In the morning?');
  await kit.graph.settled();
  later(30);
  await sent();
  expect(to('grace')).toEqual([]);
  later(31);
  const mail = await mailTo('grace');
  expect(mail.email.subject).toBe(`[wdc #${number}] Wi-Fi drops`);
  const text = textOf(mail);
  expect(text).toContain(`#${number} Wi-Fi drops\n\n2 times, the last: howard wrote a note.\n\nmia, `);
  expect(text).toContain(':\n> Since when?\n> And @howard asks: where?\n\nhoward, ');
  expect(text).toContain(`Open it:\n${baseUrl}/accounts/wdc/requests/${number}\n\n`);
  expect(text).toContain(`${baseUrl}/accounts/wdc/notices/preferences\n`);
  expect(text).not.toContain('secret');
  await sent();
  expect(to('grace')).toHaveLength(1);
});

test('all mails of a record are one conversation, which no program answers', async () => {
  const { id, number } = await grace();
  for (let time = 1; time <= 2; time += 1) {
    await kit.note('mia', id);
    await aMinuteLater();
  }
  const both = [await mailTo('grace', 1), await mailTo('grace', 2)];
  for (const { raw } of both) {
    for (const name of ['In-Reply-To', 'References'])
      expect(raw).toMatch(new RegExp(`^${name}: <request-${number}\\.wdc@wdc\\.example>`, 'm'));
    expect(raw).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(raw).toMatch(/^X-Auto-Response-Suppress: All/m);
  }
  expect(new Set(both.map(({ email }) => email.messageId)).size).toBe(2);
  expect(new Set(both.map(({ email }) => email.subject)).size).toBe(1);
});

test('of the notes since, a mail has those of others', async () => {
  const { id } = await grace();
  await kit.update('howard', id, kit.assignedTo('mia'));
  await kit.note('mia', id, false, 'Mine.');
  await kit.note('grace', id, false, 'Theirs.');
  await aMinuteLater();
  const text = textOf(await mailTo('mia'));
  expect([text.includes('> Mine.'), text.includes('> Theirs.')]).toEqual([false, true]);
});

test('what was read within the minute is not mailed, nor is one read before it happens again', async () => {
  const { id } = await grace();
  await kit.note('mia', id);
  await kit.graph.settled();
  await kit.read('grace', { recordId: id });
  await aMinuteLater();
  expect(mails()).toEqual([]);
  await kit.note('mia', id, false, 'Again.');
  await aMinuteLater();
  expect(textOf(await mailTo('grace'))).toContain('> Again.');
  expect(to('grace')).toHaveLength(1);
});

test.each([
  ['nl-NL', 'mia heeft een notitie geschreven.'],
  ['de', 'mia hat eine Notiz geschrieben.'],
  ['fr', 'mia wrote a note.'],
])('with the locale %s it says %s', async (locale, sentence) => {
  const person = { id: 40, name: 'Reader', primaryEmail: 'reader@wdc.example', roles: { wdc: ['end_user' as const] } };
  version += 1;
  const timeZone = 'Asia/Tokyo';
  await kit.graph.publishPerson({ ...person, verified: true, locale, timeZone, version });
  const { id } = await kit.create('mia', { requestedForId: nodeId('Person', 40) });
  await kit.update('mia', id, { note: 'Hello' });
  await aMinuteLater();
  const text = textOf(await mailTo('reader'));
  expect(text).toContain(sentence);
  const at = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  expect(text).toContain(at.format(kit.graph.clock.now()));
});
let version = 1;

test('nobody is mailed whose address is not verified, who is disabled or who no longer sees the record', async () => {
  const roles = { wdc: ['specialist' as const] };
  const person = { primaryEmail: 'nobody@wdc.example', roles, verified: true };
  await kit.graph.publishPerson({ ...person, id: 41, verified: false });
  await kit.graph.publishPerson({ ...person, id: 42, disabled: true });
  for (const id of [43, 44, 48]) await kit.graph.publishPerson({ ...person, id });
  const { verified: _none, ...ofEarlier } = person;
  await kit.graph.publishPerson({ ...ofEarlier, id: 45 });
  const { id } = await grace();
  const named = [41, 42, 43, 44, 45, 48].map((one) => `@[a](person:${one})`).join(' ');
  await kit.note('mia', id, true, named);
  await kit.graph.settled();
  await kit.graph.publishPerson({ ...person, id: 43, disabled: true, version: 2 });
  await kit.graph.publishPerson({ ...person, id: 44, roles: { wdc: ['end_user'] }, version: 2 });
  await kit.graph.publishPerson({ ...person, id: 48, verified: false, version: 2 });
  await aMinuteLater();
  expect(to('nobody')).toEqual([]);
  expect(to('mia')).toEqual([]);
});

test('what an earlier release stored of a person is completed by the same version', async () => {
  const person = { id: 46, primaryEmail: 'upgraded@wdc.example', roles: { wdc: ['specialist' as const] } };
  await kit.graph.publishPerson(person);
  const at = new Date(0).toISOString();
  const said = { verified: true, locale: 'en', timeZone: 'UTC', createdAt: at, updatedAt: at };
  await kit.graph.publishPerson({ ...person, ...said });
  await kit.graph.publishPerson(person);
  const { id } = await grace();
  await kit.note('mia', id, true, '@[a](person:46)');
  await aMinuteLater();
  await mailTo('upgraded');
});

test('an import mails nobody', async () => {
  await kit.create('grace', { source: 'csv', sourceID: 'mailed' });
  await kit.importRows([{ source: 'csv', sourceID: 'mailed', note: 'Imported' }]);
  await aMinuteLater();
  expect(mails()).toEqual([]);
});

test('a mail has four kilobytes of notes, and names and titles lead nowhere', async () => {
  const { id } = await kit.create('grace', { subject: 'See https://evil.example/x\u202e now' });
  await kit.note('mia', id, false, `${'ä'.repeat(3_000)}`);
  await aMinuteLater();
  const mail = await mailTo('grace');
  const text = textOf(mail);
  expect(text.match(/ä/g)).toHaveLength(2_048);
  expect(text).toContain('The rest is in the record.');
  expect(`${mail.email.subject} ${text}`).not.toContain('https://evil.example');
});

test('while the mail server is away mails wait, and none is lost or sent twice', async () => {
  const { id } = await grace();
  smtp.refuse(2);
  await kit.note('mia', id, false, 'First.');
  await aMinuteLater();
  expect(to('grace')).toEqual([]);
  await kit.note('mia', id, false, 'Second.');
  await aMinuteLater();
  await aMinuteLater();
  const text = textOf(await mailTo('grace'));
  expect([text.includes('> First.'), text.includes('> Second.')]).toEqual([true, true]);
  await aMinuteLater();
  expect(to('grace')).toHaveLength(1);
});

test('two processes send each mail once', async () => {
  const other = await kit.startAnother();
  other.clock.pass(kit.graph.clock.now().getTime() - other.clock.now().getTime() + 61_000);
  for (let count = 0; count < 8; count += 1) {
    const { id } = await grace();
    await kit.note('mia', id);
  }
  await aMinuteLater();
  await mailTo('grace', 8);
  await sent();
  await other.stop();
  expect(to('grace')).toHaveLength(8);
  expect(new Set(to('grace').map(({ email }) => email.subject)).size).toBe(8);
});

test('a person gets twenty mails in an hour, and then one about the rest', async () => {
  for (let count = 0; count < 23; count += 1) {
    const { id } = await grace();
    await kit.note('mia', id);
  }
  await aMinuteLater();
  await mailTo('grace', 20);
  later(30 * 60);
  await sent();
  expect(to('grace')).toHaveLength(20);
  later(31 * 60);
  const last = await mailTo('grace', 21);
  expect(last.email.subject).toBe('[wdc] 3 more notices');
  await sent();
  expect(to('grace')).toHaveLength(21);
});

test('about one record a person gets fifty mails in a day, and the last one says so', async () => {
  const { id, number } = await grace();
  const at = kit.graph.clock.now();
  const earlier = Array.from({ length: 49 }, () => ({
    record: `request/${number}`,
    at: new Date(at.getTime() - 7_200_000),
  }));
  const turn = { accountId: 'wdc', personId: 3, armed: 1, sent: earlier, isHeld: false, armedAt: at };
  await kit.graph.connection.collection<{ _id: string }>('notice_mails').insertOne({ _id: 'wdc/3', ...turn });
  for (let count = 0; count < 3; count += 1) {
    await kit.note('mia', id);
    await aMinuteLater();
  }
  expect(textOf(await mailTo('grace'))).toContain('There are no more mails about it today.');
  expect(to('grace')).toHaveLength(1);
});

test('people choose what they are mailed and what is at the bell, for each reason', async () => {
  const ask = (query: string) =>
    kit
      .as('grace')
      .ask<Record<string, unknown>>(query.startsWith('{') ? 'noticePreferences' : 'noticePreferencesUpdate', query);
  const { kinds, mails: state } = (await ask('{ noticePreferences { mails kinds { kind bell mail } } }')) as {
    kinds: { kind: string; mail: boolean }[];
    mails: string;
  };
  expect(state).toBe('sent');
  expect(kinds.filter(({ mail }) => mail).map(({ kind }) => kind)).toEqual([
    'mentioned',
    'created',
    'ended',
    'answered',
  ]);
  const chosen = (bell: boolean, mail: boolean) =>
    ask(
      `mutation { noticePreferencesUpdate(input: { kinds: [{ kind: answered, bell: ${bell}, mail: ${mail} }] }) {
        errors { message } noticePreferences { kinds { kind bell mail } } } }`,
    );
  const { id } = await grace();
  await chosen(true, false);
  await kit.note('mia', id);
  await aMinuteLater();
  expect([await kit.kindsOf('grace'), to('grace').length]).toEqual([['answered'], 0]);
  await kit.read('grace', { recordId: id });
  expect(await chosen(false, true)).toMatchObject({ errors: [] });
  await kit.note('mia', id);
  expect(await kit.kindsOf('grace')).toEqual([]);
  await aMinuteLater();
  await mailTo('grace');
  // Who has read the record has read what is not at the bell.
  await kit.note('mia', id);
  await kit.graph.settled();
  expect(await kit.read('grace', { recordId: id })).toEqual({ unread: 0, errors: [] });
  await aMinuteLater();
  expect(to('grace')).toHaveLength(1);
  await chosen(false, false);
  await kit.note('mia', id);
  await kit.graph.settled();
  expect(await kit.graph.connection.collection('notices').countDocuments({ personId: 3, unread: true })).toBe(0);
  // In this account alone, and of this person.
  const elsewhere = kit.graph.as('end_user', { sub: '3' }, 'other');
  expect(await elsewhere.ask('noticePreferences.kinds', '{ noticePreferences { kinds { kind bell mail } } }')).toEqual(
    kinds,
  );
  const ofMia = await kit
    .as('mia')
    .ask<{ kind: string; mail: boolean }[]>('noticePreferences.kinds', '{ noticePreferences { kinds { kind mail } } }');
  expect(ofMia.filter(({ mail }) => mail).map(({ kind }) => kind)).toEqual(['mentioned', 'assigned', 'answered']);
});

test('without a mail server nobody waits for a mail', async () => {
  const plain = await startNotices();
  const { id } = await plain.create('grace');
  await plain.note('mia', id);
  expect(await plain.kindsOf('grace')).toEqual(['answered']);
  expect(await plain.graph.connection.collection('notice_mails').countDocuments()).toBe(0);
  expect(await plain.graph.connection.collection('notices').countDocuments({ mailAt: { $exists: true } })).toBe(0);
  expect(await plain.as('grace').ask('noticePreferences.mails', '{ noticePreferences { mails } }')).toBe(
    'no_mail_server',
  );
  await plain.close();
});
