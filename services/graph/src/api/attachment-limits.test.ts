import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { unusedMilliseconds, uploadMilliseconds } from '../attachments/attachment.service';
import { writeMilliseconds } from '../attachments/placed-files';
import { expectFileGoesWithRecord } from '../testing/emptied-trash';
import { keyFor, mostBytes, quota, shownIn, startFiles, upload, uploaded } from '../testing/attachment-kit';
import type { Client } from '../testing/start-graph';

let files: Awaited<ReturnType<typeof startFiles>>;
beforeAll(async () => {
  files = await startFiles();
});
afterAll(() => files.stop());

test('a file over the limit is refused while it arrives, and leaves nothing', async () => {
  const { account, specialist } = await files.openAccount();
  expect((await upload(specialist, Buffer.alloc(mostBytes + 1))).status).toBe(413);
  expect((await upload(specialist, Buffer.alloc(mostBytes + 50_000))).status).toBe(413);
  expect(files.objects(account)).toEqual([]);
  expect(await files.usage(account)).toEqual({ bytes: 0, arriving: [] });
  expect((await upload(specialist, Buffer.alloc(mostBytes))).status).toBe(200);
});

/** Begins a form, which never ends, with the key of the client, and then these lines. */
async function beginForm(client: Client, ...lines: string[]) {
  const prepared = client.rest('post', '/v1/attachments').type('multipart/form-data; boundary=b');
  // The types of superagent do not have it.
  const call = (prepared as unknown as { request(): ClientRequest }).request();
  const part = (head: string) => `--b\r\nContent-Disposition: form-data; name=${head}\r\n\r\n`;
  const answer = once(call, 'response') as Promise<[IncomingMessage]>;
  call.write([part('key'), await keyFor(client), ...lines.map((line) => `\r\n${part(line)}x`)].join(''));
  return { call, answer };
}

test('a form that breaks off in a part that nobody asked for harms nobody else', async () => {
  const { account, specialist } = await files.openAccount();
  const { call, answer } = await beginForm(specialist, 'file; filename=a.txt', 'other; filename=b.txt');
  await waitUntil('the file', () => files.objects(account).length === 1);
  call.destroy();
  await expect(answer).rejects.toThrow();
  expect((await upload(specialist, 'a')).status).toBe(200);
});

test.each([
  ['another file', 'other; filename=b.txt'],
  ['a field', 'other'],
])('a form whose length nobody has said is refused when %s is larger than all of it may be', async (_what, line) => {
  const { specialist } = await files.openAccount();
  const { call, answer } = await beginForm(specialist, line);
  call.write('x'.repeat(mostBytes + 10_000));
  const [{ statusCode }] = await answer;
  expect(statusCode).toBe(413);
  call.destroy();
});

test('the files of an account never have more bytes together than its quota, also when they come at once', async () => {
  const { account, specialist } = await files.openAccount();
  const all = await Promise.all(Array.from({ length: 7 }, () => upload(specialist, Buffer.alloc(90_000))));
  expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 422, 422, 422]);
  expect(await files.usage(account)).toEqual({ bytes: 360_000, arriving: [] });
  expect(files.objects(account)).toHaveLength(4);
  expect((await upload(specialist, Buffer.alloc(40_000))).status).toBe(200);
  const { status, body } = await upload(specialist, 'a');
  expect([status, body]).toMatchObject([
    422,
    { errors: [['file', `The files of the account may have ${quota} bytes together`]] },
  ]);
});

test('an address is refused without its signature, with another one, for another file, and when it has expired', async () => {
  const { specialist, notes } = await files.openAccount();
  const attachments = [{ key: await uploaded(specialist, 'one') }, { key: await uploaded(specialist, 'two') }];
  const [one, two] = shownIn((await specialist.rest('post', notes, { text: 'A', attachments }).expect(201)).body);
  const [address = '', query = ''] = one!.uri.split('?');
  const expires = /expires=(\d+)/.exec(query)?.[1] ?? '';
  for (const wrong of [
    address,
    `${address}?${query.slice(0, -1)}`,
    `${address}?${query.replace(expires, String(Number(expires) + 3_600))}`,
    `${two!.uri.split('?')[0]}?${query}`,
    one!.uri.replace('a.txt', 'b.txt'),
    `${address}?expires=&signature=`,
    `${address}?expires=1e99&signature=a`,
  ])
    await files.download(wrong).expect(404, { message: 'Not Found' });
  await files.download(one!.uri).expect(200, Buffer.from('one'));
  await files.anybody().head(one!.uri).expect(200).expect('Content-Length', '3');
  await files.anybody().post(one!.uri).expect(405);
  files.graph.clock.pass(Number(expires) * 1_000 - files.graph.clock.now().getTime() - 1);
  await files.download(one!.uri).expect(200);
  files.graph.clock.pass(1);
  await files.download(one!.uri).expect(404);
});

test('a file that no note takes within a day is deleted, and its bytes are free; those of notes stay', async () => {
  const { account, specialist, notes } = await files.openAccount();
  const kept = await uploaded(specialist, 'kept');
  await specialist.rest('post', notes, { text: 'A', attachments: [{ key: kept }] }).expect(201);
  const left = await uploaded(specialist, 'left behind');
  await files.sweep(unusedMilliseconds - 1);
  expect(files.objects(account)).toHaveLength(2);
  await Promise.all([files.sweep(unusedMilliseconds), files.sweep(unusedMilliseconds)]);
  expect(files.objects(account)).toEqual([kept.split('/')[3]]);
  expect(await files.usage(account)).toEqual({ bytes: 4, arriving: [] });
  await specialist.rest('post', notes, { text: 'A', attachments: [{ key: left }] }).expect(422);
});

test('an upload of a process that has ended leaves nothing for long', async () => {
  const { account, specialist } = await files.openAccount();
  const key = await uploaded(specialist, 'half');
  const [, id = ''] = /^attachments\/(.+)\/a\.txt$/.exec(key) ?? [];
  const attachments = files.graph.connection.collection<{ _id: string }>('attachments');
  const usages = files.graph.connection.collection<{ _id: string }>('attachment_usages');
  // As it is between counting the file and completing it.
  const dueAt = new Date(files.graph.clock.now().getTime() + uploadMilliseconds);
  await attachments.updateOne({ _id: id }, { $set: { isStored: false, dueAt } });
  await usages.updateOne({ _id: account }, { $push: { arriving: id } });
  await files.sweep(uploadMilliseconds);
  expect(await files.usage(account)).toEqual({ bytes: 0, arriving: [] });
  expect(files.objects(account)).toEqual([]);
  expect(await attachments.findOne({ _id: id })).toBeNull();
});

test('a file is taken by a note that waits in the outbox, and free again when no note was written', async () => {
  const { account, specialist, id } = await files.openAccount();
  const key = await uploaded(specialist, 'taken');
  const [, fileId = ''] = /^attachments\/(.+)\/a\.txt$/.exec(key) ?? [];
  const attachments = files.graph.connection.collection<{ _id: string }>('attachments');
  const requests = files.graph.connection.collection<{ _id: number }>('requests');
  await attachments.updateOne({ _id: fileId }, { $set: { recordType: 'request', recordId: id } });
  await requests.updateOne({ _id: id }, { $set: { outboxAt: new Date('2199-01-01') } });
  await files.sweep(unusedMilliseconds);
  expect(files.objects(account)).toHaveLength(1);
  await requests.updateOne({ _id: id }, { $unset: { outboxAt: '' } });
  await files.sweep(2 * unusedMilliseconds);
  expect(files.objects(account)).toEqual([]);
});

test.each([
  ['the same record', (id: number) => id],
  ['a record that was never made', () => 999_999],
])('a note can be written again when its process ended after it took a file for %s', async (_which, recordOf) => {
  const { specialist, id, notes } = await files.openAccount();
  const key = await uploaded(specialist, 'taken');
  const [, fileId = ''] = /^attachments\/(.+)\/a\.txt$/.exec(key) ?? [];
  const attachments = files.graph.connection.collection<{ _id: string }>('attachments');
  const requests = files.graph.connection.collection<{ _id: number }>('requests');
  const dueAt = new Date(files.graph.clock.now().getTime() + unusedMilliseconds);
  await attachments.updateOne({ _id: fileId }, { $set: { recordType: 'request', recordId: recordOf(id), dueAt } });
  const note = () => specialist.rest('post', notes, { text: 'A', attachments: [{ key }] });
  const stillWritten = 'Another write with one of the files is not finished yet; try again';
  const refused = await note().expect(409, { message: stillWritten });
  expect(refused.get('Retry-After')).toBe('1');
  files.graph.clock.pass(writeMilliseconds);
  // The note may be there.
  const { matchedCount } = await requests.updateOne(
    { _id: recordOf(id) },
    { $set: { outboxAt: new Date('2199-01-01') } },
  );
  if (matchedCount > 0) await note().expect(409);
  await requests.updateOne({ _id: id }, { $unset: { outboxAt: '' } });
  const both = await Promise.all([note(), note()]);
  const [made, late] = both.map(({ status }) => status).sort();
  expect([made, [409, 422].includes(late ?? 0)]).toEqual([201, true]);
  await note().expect(422);
  expect((await specialist.get(notes).expect(200)).body).toHaveLength(1);
});

test('the files of a record that is deleted from the trash go with its notes', async () => {
  const { account, specialist, id, notes } = await files.openAccount();
  const administrator = files.graph.as('account_administrator', { sub: '1', home: account }, account);
  const key = await uploaded(specialist, 'gone');
  const { body } = await specialist.rest('post', notes, { text: 'A', attachments: [{ key }] }).expect(201);
  await administrator.rest('post', `/v1/requests/${id}/trash`).expect(200);
  await expectFileGoesWithRecord(files, { account, plural: 'requests', uri: shownIn(body)[0]!.uri });
});
