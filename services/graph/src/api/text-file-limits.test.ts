import { waitUntil } from '@itsm/shared/testing/wait-until';
import { unusedMilliseconds } from '../attachments/attachment.service';
import { writeMilliseconds } from '../attachments/placed-files';
import { expectFileGoesWithRecord } from '../testing/emptied-trash';
import { shownIn, startFiles, uploaded } from '../testing/attachment-kit';
import type { Client } from '../testing/start-graph';

let files: Awaited<ReturnType<typeof startFiles>>;
beforeAll(async () => {
  files = await startFiles();
});
afterAll(() => files.stop());

const errorsIn = (body: unknown) => (body as { readonly errors: unknown }).errors;
const idOf = (key: string): string => /^attachments\/(.+)\/a\.txt$/.exec(key)?.[1] ?? '';
const attachments = () => files.graph.connection.collection<{ _id: string }>('attachments');
const problems = () => files.graph.connection.collection<{ _id: number }>('problems');

async function problemOf(client: Client, more: object = {}) {
  const { body } = await client.rest('post', '/v1/problems', { subject: 'Disks', ...more }).expect(201);
  const { id, nodeID } = body as { readonly id: number; readonly nodeID: string };
  return { id, nodeID, path: `/v1/problems/${id}` };
}

const keysAt = async (client: Client, path: string) =>
  shownIn((await client.get(path).expect(200)).body).map(({ key }) => key);

const otherwise = 'must each have a key, and may have inline, size and _destroy';

test.each([
  ['no list', 'x', 'must be a list'],
  ['an object', { key: 'a' }, 'must be a list'],
  ['a list of texts', ['x'], otherwise],
  ['a list of lists', [[]], otherwise],
  ['a number as key', [{ key: 1 }], otherwise],
  ['an unknown member', [{ key: 'a', secret: 'b' }], otherwise],
  ['a field', [{ key: 'a', field: 'customFields' }], otherwise],
  ['a prototype', JSON.parse('[{"key":"a","__proto__":{"inline":true}}]') as unknown, otherwise],
  ['a misspelt flag', [{ key: 'a', _destory: true }], otherwise],
  ['an object as flag', [{ key: 'a', _destroy: {} }], otherwise],
  ['a word as flag', [{ key: 'a', _destroy: 'yes' }], otherwise],
  ['a size that is no number', [{ key: 'a', filesize: '1e3' }], otherwise],
  ['a file to add and to take away', [{ key: 'a' }, { key: 'a', _destroy: true }], 'must be different files'],
  ['too many', Array.from({ length: 51 }, (_none, n) => ({ key: `${n}`, _destroy: true })), 'must be at most 50 files'],
  ['a file of nobody', [{ key: 'a' }], 'has a file that you have not uploaded, or that is in use already'],
  ['a key of the store', [{ key: { $ne: '' } }], otherwise],
])('%s is refused as files of a text', async (_what, given, problem) => {
  const { specialist } = await files.openAccount();
  const { path } = await problemOf(specialist);
  const refusal = [['workaround_attachments', `Workaround attachments ${problem}`]];
  const made = { subject: 'Disks', workaround_attachments: given };
  expect(errorsIn((await specialist.rest('post', '/v1/problems', made).expect(422)).body)).toEqual(refusal);
  expect(errorsIn((await specialist.rest('patch', path, made).expect(422)).body)).toEqual(refusal);
});

test('a text takes only files that the caller has uploaded for this account, and each is in one place', async () => {
  const { specialist, user, notes } = await files.openAccount();
  const stranger = await files.openAccount();
  const { path } = await problemOf(specialist);
  const [own, ofUser] = [await uploaded(specialist, 'own'), await uploaded(user, 'of the user')];
  const ofStranger = await uploaded(stranger.specialist, 'of another account');
  const inNote = await uploaded(specialist, 'in a note');
  await specialist.rest('post', notes, { text: 'See', attachments: [{ key: inNote }] }).expect(201);
  for (const key of [ofUser, ofStranger, inNote, own.replace('a.txt', 'b.txt'), 'attachments/../x']) {
    const given = { workaround_attachments: [{ key: own }, { key }] };
    expect(errorsIn((await specialist.rest('patch', path, given).expect(422)).body)).toEqual([
      [
        'workaround_attachments',
        'Workaround attachments has a file that you have not uploaded, or that is in use already',
      ],
    ]);
  }
  // What is in a note, or of another record, is not lost by the wrong text.
  const other = await problemOf(specialist, { workaround_attachments: [{ key: own }] });
  for (const key of [inNote, own, ofStranger])
    await specialist.rest('patch', path, { workaround_attachments: [{ key, _destroy: true }] }).expect(422);
  await specialist.rest('patch', other.path, { custom_fields_attachments: [{ key: own, _destroy: true }] }).expect(422);
  expect(await keysAt(specialist, other.path)).toEqual([own]);
  await stranger.specialist
    .rest('patch', other.path, { workaround_attachments: [{ key: own, _destroy: true }] })
    .expect(404);
  // Nor does a note get what a text has.
  await specialist.rest('post', notes, { text: 'See', attachments: [{ key: own }] }).expect(422);
  expect(await keysAt(specialist, other.path)).toEqual([own]);
});

test('one file in two places of a write is refused, and what was refused can be used', async () => {
  const { specialist } = await files.openAccount();
  const { path } = await problemOf(specialist);
  const [one, two] = [await uploaded(specialist, 'one'), await uploaded(specialist, 'two')];
  const twice = { note: 'See', note_attachments: [{ key: one }], workaround_attachments: [{ key: one }] };
  expect(errorsIn((await specialist.rest('patch', path, twice).expect(422)).body)).toEqual([
    ['workaround_attachments', 'Workaround attachments must be different files'],
  ]);
  await specialist.rest('patch', path, { subject: '', workaround_attachments: [{ key: one }] }).expect(422);
  await specialist.rest('patch', '/v1/problems/999999', { workaround_attachments: [{ key: one }] }).expect(404);
  await specialist
    .rest('patch', path, { workaround_attachments: [{ key: one }] })
    .set('If-Match', '"99"')
    .expect(412);
  const given = { note: 'See', note_attachments: [{ key: two }], workaround_attachments: [{ key: one }] };
  expect(shownIn((await specialist.rest('patch', path, given).expect(200)).body).map(({ key }) => key)).toEqual([one]);
  const { body: list } = await specialist.get(`${path}/notes`).expect(200);
  expect((list as object[]).flatMap(shownIn).map(({ key }) => key)).toEqual([two]);
});

test('of two writes at once with one file one gets it; two with files of their own both get theirs', async () => {
  const { specialist } = await files.openAccount();
  const [first, second] = [await problemOf(specialist), await problemOf(specialist)];
  const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((text) => uploaded(specialist, text)));
  const write = ({ path }: { readonly path: string }, key = '') =>
    specialist.rest('patch', path, { workaround_attachments: [{ key }] });
  const both = await Promise.all([write(first, one), write(second, one)]);
  const [made, late] = both.map(({ status }) => status).sort();
  expect([made, [409, 422].includes(late ?? 0)]).toEqual([200, true]);
  const found = [...(await keysAt(specialist, first.path)), ...(await keysAt(specialist, second.path))];
  expect(found).toEqual([one]);
  const own = await Promise.all([write(first, two), write(first, three)]);
  expect(own.map(({ status }) => status)).toEqual([200, 200]);
  expect(await keysAt(specialist, first.path)).toEqual(expect.arrayContaining([two, three]));
  const away = { workaround_attachments: [{ key: two, _destroy: true }] };
  const gone = await Promise.all([away, away].map((body) => specialist.rest('patch', first.path, body)));
  expect(gone.map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('a text has at most 50 files together', async () => {
  const { specialist } = await files.openAccount();
  const { id, path } = await problemOf(specialist);
  const key = await uploaded(specialist, 'one too many');
  const full = Array.from({ length: 50 }, (_none, n) => ({
    key: `attachments/x/${n}`,
    name: 'a',
    secret: 'a',
    field: 'workaround',
  }));
  await problems().updateOne({ _id: id }, { $set: { files: full, hasFiles: true } });
  const given = { workaround_attachments: [{ key }] };
  expect(errorsIn((await specialist.rest('patch', path, given).expect(422)).body)).toEqual([
    ['workaround_attachments', 'Workaround attachments would be more than 50 files'],
  ]);
  const instead = { workaround_attachments: [{ key }, { key: 'attachments/x/7', _destroy: true }] };
  await specialist.rest('patch', path, instead).expect(200);
});

test('who may not change the record changes no files of it, whatever their role or scope', async () => {
  const { account, specialist, user, auditor, id } = await files.openAccount();
  const key = await uploaded(specialist, 'one');
  const { path } = await problemOf(specialist, { workaround_attachments: [{ key }] });
  const away = { workaround_attachments: [{ key, _destroy: true }] };
  const own = { custom_fields_attachments: [{ key: await uploaded(user, 'mine') }] };
  await user.rest('patch', path, away).expect(403);
  await auditor.rest('patch', path, away).expect(403);
  await user.rest('patch', `/v1/requests/${id}`, own).expect(403);
  const scopes = [{ effect: 'allow' as const, actions: ['problem:Read'] }];
  const reader = files.graph.as('specialist', { sub: '1', home: account, scopes }, account);
  await reader.rest('patch', path, away).expect(403);
  expect(await keysAt(reader, path)).toEqual([key]);
  await user.get(path).expect(404);
});

test.each([
  ['before it wrote the record', false],
  ['after it wrote the record', true],
])('a process that ends %s loses no file and keeps none', async (_when, isWritten) => {
  const { account, specialist } = await files.openAccount();
  const key = await uploaded(specialist, 'taken');
  const { id, path } = await problemOf(specialist);
  if (isWritten) await specialist.rest('patch', path, { workaround_attachments: [{ key }] }).expect(200);
  const dueAt = new Date(files.graph.clock.now().getTime() + unusedMilliseconds);
  const taken = { recordType: 'problem', recordId: id, dueAt };
  await attachments().updateOne({ _id: idOf(key) }, { $set: taken, $unset: { inText: '' } });
  await problems().updateOne({ _id: id }, { $unset: { outboxAt: '' } });
  const other = await problemOf(specialist);
  const given = { workaround_attachments: [{ key }] };
  const refused = await specialist.rest('patch', other.path, given).expect(409);
  expect(refused.get('Retry-After')).toBe('1');
  if (isWritten) {
    // Long after, the record still has it.
    await files.sweep(2 * unusedMilliseconds);
    expect(files.objects(account)).toHaveLength(1);
    await specialist.rest('patch', other.path, given).expect(422);
    expect(await keysAt(specialist, path)).toEqual([key]);
    return;
  }
  files.graph.clock.pass(writeMilliseconds);
  await specialist.rest('patch', other.path, given).expect(200);
  expect([await keysAt(specialist, path), await keysAt(specialist, other.path)]).toEqual([[], [key]]);
});

test('a file that a record has is not taken again when its process ended before it said so', async () => {
  const { specialist } = await files.openAccount();
  const key = await uploaded(specialist, 'taken');
  const { id } = await problemOf(specialist, { workaround_attachments: [{ key }] });
  const other = await problemOf(specialist);
  const dueAt = new Date(files.graph.clock.now().getTime() + unusedMilliseconds);
  await attachments().updateOne({ _id: idOf(key) }, { $set: { dueAt }, $unset: { inText: '' } });
  await problems().updateOne({ _id: id }, { $unset: { outboxAt: '' } });
  files.graph.clock.pass(writeMilliseconds);
  await specialist.rest('patch', other.path, { workaround_attachments: [{ key }] }).expect(422);
  expect(await attachments().findOne({ _id: idOf(key) })).toMatchObject({ inText: true, recordId: id });
});

test('a file is deleted also when the process ended after the text had lost it', async () => {
  const { account, specialist } = await files.openAccount();
  const [gone, kept] = [await uploaded(specialist, 'gone'), await uploaded(specialist, 'kept')];
  const { id } = await problemOf(specialist, { workaround_attachments: [{ key: gone }, { key: kept }] });
  await problems().updateOne({ _id: id }, { $pull: { files: { key: gone } }, $unset: { outboxAt: '' } } as object);
  // As a write leaves them that was about to take both away.
  const dueAt = new Date(files.graph.clock.now().getTime() + unusedMilliseconds);
  await attachments().updateMany({ _id: { $in: [gone, kept].map(idOf) } }, { $set: { dueAt } });
  await files.sweep(unusedMilliseconds);
  expect(files.objects(account)).toEqual([kept.split('/')[3]]);
  expect(await files.usage(account)).toMatchObject({ bytes: 4 });
  expect(await attachments().findOne({ _id: idOf(kept) })).not.toHaveProperty('dueAt');
});

test('the files of a record go with it, and not before', async () => {
  const { account, specialist } = await files.openAccount();
  const administrator = files.graph.as('account_administrator', { sub: '1', home: account }, account);
  const key = await uploaded(specialist, 'gone');
  const { path } = await problemOf(specialist, { workaround_attachments: [{ key }] });
  await administrator.rest('post', `${path}/archive`).expect(200);
  expect(await keysAt(specialist, path)).toEqual([key]);
  const set = { workaround_attachments: [{ key, _destroy: true }] };
  await specialist.rest('patch', path, set).expect(422);
  const { body } = await administrator.rest('post', `${path}/restore`).expect(200);
  expect(shownIn(body).map((file) => file.key)).toEqual([key]);
  await administrator.rest('post', `${path}/trash`).expect(200);
  await expectFileGoesWithRecord(files, { account, plural: 'problems', uri: shownIn(body)[0]!.uri });
});

test('bulk mutations take files as the mutation of each item does', async () => {
  const { specialist } = await files.openAccount();
  const key = await uploaded(specialist, 'one');
  const { token } = await specialist.ask<{ token: string }>(
    'problemBulkCreate',
    'mutation ($input: ProblemBulkCreateInput!) { problemBulkCreate(input: $input) { token errors { message } } }',
    { input: { items: ['One', 'Two'].map((subject) => ({ subject, workaroundAttachments: [{ key }] })) } },
  );
  const job = await waitUntil('the job', async () => {
    const { body } = await specialist.get(`/v1/import/${token}`).expect(200);
    return (body as { readonly state: string }).state === 'done' ? (body as object) : undefined;
  });
  expect(job).toMatchObject({ results: { created: 1, failures: 1 } });
  const { body: list } = await specialist.get('/v1/problems?fields=subject,attachments').expect(200);
  expect(list).toMatchObject([{ subject: 'One', attachments: [{ key }] }]);
});
