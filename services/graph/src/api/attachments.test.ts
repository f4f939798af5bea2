import { randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { keyFor, mostBytes, picture, shownIn, startFiles, upload, uploaded } from '../testing/attachment-kit';

let files: Awaited<ReturnType<typeof startFiles>>;
beforeAll(async () => {
  files = await startFiles();
});
afterAll(() => files.stop());

test('a file is uploaded by a key, is in a note, and its signed address gives its bytes', async () => {
  const { account, specialist, notes } = await files.openAccount();
  const { body: storage } = await specialist.get('/v1/attachments/storage').expect(200);
  expect(storage).toEqual({
    size_limit: mostBytes,
    allowed_extensions: [],
    provider: 'local',
    upload_uri: 'https://api.test.example/v1/attachments',
    local: {
      key: expect.stringMatching(/^attachments\/files-\d+\/\d+\/[0-9a-z]+-[0-9a-f]{32}\/\$\{filename\}$/) as string,
      'x-itsm-expiration': expect.any(String) as string,
    },
  });
  const content = randomBytes(70_000);
  const key = await uploaded(specialist, content, 'Bericht – ä.txt');
  expect(key.endsWith('/Bericht – ä.txt')).toBe(true);
  const { body } = await specialist
    .rest('post', notes, { text: 'See the file', attachments: [{ key, filesize: '70000' }] })
    .expect(201);
  const [shown] = shownIn(body);
  expect(shown).toMatchObject({ key, name: 'Bericht – ä.txt', size: 70_000, inline: false });
  const answer = await files.download(shown!.uri).expect(200);
  expect(Buffer.compare(answer.body as Buffer, content)).toBe(0);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '70000',
    'content-disposition': expect.stringMatching(/^attachment; filename="[^]*"; filename\*=UTF-8''/) as string,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=3600',
  });
  expect(await files.usage(account)).toEqual({ bytes: 70_000, arriving: [] });
  // The list shows it as well, at the same address for the rest of the hour.
  const { body: list } = await specialist.get(notes).expect(200);
  expect((list as object[]).map(shownIn)).toEqual([[shown]]);
});

test('a picture stands in the text, and GraphQL takes and shows files too', async () => {
  const { specialist, nodeID } = await files.openAccount();
  const storage = await specialist.ask<object>(
    'attachmentStorage',
    '{ attachmentStorage { provider uploadUri sizeLimit allowedExtensions providerParameters } }',
  );
  expect(storage).toMatchObject({ provider: 'local', sizeLimit: mostBytes, allowedExtensions: [] });
  const key = await uploaded(specialist, picture, 'shot.html');
  const fields = 'attachments { id key name size inline contentType url }';
  const note = await specialist.ask<{ attachments: readonly { url: string }[] }>(
    'noteCreate.note',
    `mutation ($input: NoteCreateInput!) { noteCreate(input: $input) { note { text ${fields} } errors { message } } }`,
    { input: { recordId: nodeID, text: `![](${key})`, attachments: [{ key, inline: true, size: picture.length }] } },
  );
  const shown = { key, name: 'shot.html', size: picture.length, inline: true, contentType: 'image/png' };
  expect(note.attachments).toEqual([{ id: key.split('/')[3], url: expect.any(String) as string, ...shown }]);
  const answer = await files.download(note.attachments[0]!.url).expect(200);
  expect(answer.headers['content-type']).toBe('image/png');
  const [other, another] = [await uploaded(specialist, 'b'), await uploaded(specialist, 'c')];
  const updated = await specialist.ask<object>(
    'requestUpdate',
    `mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { message } request { notes(last: 1) { nodes { ${fields} } } } } }`,
    { input: { id: nodeID, internalNote: 'Two', internalNoteAttachments: [{ key: other }, { key: another }] } },
  );
  expect(updated).toMatchObject({
    errors: [],
    request: { notes: { nodes: [{ attachments: [{ key: other }, { key: another }] }] } },
  });
});

test('the name of a file looks like what it is', async () => {
  const { specialist } = await files.openAccount();
  const key = await uploaded(specialist, 'a', '\u2066bill\u202Efdp.exe');
  expect(key.split('/').at(-1)).toBe('billfdp.exe');
});

test('a new record has the files of its note', async () => {
  const { specialist, user } = await files.openAccount();
  const key = await uploaded(user, 'log');
  const { body } = await user
    .rest('post', '/v1/requests', { subject: 'Broken', note: 'See', note_attachments: [{ key }] })
    .expect(201);
  const { id } = body as { id: number };
  const { body: list } = await specialist.get(`/v1/requests/${id}/notes`).expect(200);
  expect((list as object[]).flatMap(shownIn)).toMatchObject([{ key }]);
});

test('a form has the files of a note as a JSON text', async () => {
  const { specialist, notes, id } = await files.openAccount();
  const [first, second] = [await uploaded(specialist, 'one'), await uploaded(specialist, 'two')];
  const form = (method: 'post' | 'patch', path: string, members: Readonly<Record<string, string>>) =>
    specialist.rest(method, path, new URLSearchParams(members).toString()).type('form');
  const listOf = (...keys: readonly string[]) => JSON.stringify(keys.map((key) => ({ key, inline: 'false' })));
  await form('patch', `/v1/requests/${id}`, { note: 'See', note_attachments: listOf(first) }).expect(200);
  await form('post', notes, { text: 'See too', attachments: listOf(second) }).expect(201);
  await form('post', notes, { text: 'None', attachments: '' }).expect(201);
  const { body: list } = await specialist.get(notes).expect(200);
  expect((list as object[]).flatMap(shownIn).map(({ key }) => key)).toEqual(expect.arrayContaining([first, second]));
  const own = await uploaded(specialist, 'three');
  const refusals = [
    ['{', 'must be a list'],
    ['{"key":"a"}', 'must be a list'],
    [listOf(own, own), 'must be different files'],
    [listOf(first), 'has a file that you have not uploaded, or that is in use already'],
    [listOf(...Array.from({ length: 51 }, (_none, n) => `${own}${n}`)), 'must be at most 50 files'],
  ] as const;
  for (const [text, problem] of refusals) {
    const { body } = await form('patch', `/v1/requests/${id}`, { note: 'No', note_attachments: text }).expect(422);
    expect(body).toMatchObject({ errors: [['note_attachments', `Note attachments ${problem}`]] });
  }
});

test('files of internal notes are seen by those who see the note', async () => {
  const { specialist, user, notes } = await files.openAccount();
  const key = await uploaded(specialist, 'secret plan');
  await specialist.rest('post', notes, { text: 'Inside', internal: true, attachments: [{ key }] }).expect(201);
  expect(JSON.stringify((await user.get(notes).expect(200)).body)).not.toContain(key);
  expect(((await specialist.get(notes)).body as object[]).flatMap(shownIn)).toMatchObject([{ key }]);
});

const mutation = `mutation ($input: NoteCreateInput!) { noteCreate(input: $input) { note { id } errors { message path } } }`;

test('a note takes only files that its author has uploaded for this account, and each once', async () => {
  const { specialist, user, notes, nodeID } = await files.openAccount();
  const stranger = await files.openAccount();
  const [own, ofUser] = [await uploaded(specialist, 'own'), await uploaded(user, 'of the user')];
  const ofStranger = await uploaded(stranger.specialist, 'of another account');
  const never = (await keyFor(specialist)).replace('${filename}', 'a.txt');
  const renamed = own.replace(/[^/]+$/, 'b.txt');
  for (const key of [ofUser, ofStranger, never, renamed, 'attachments/../x', '', 'x'.repeat(3_000)]) {
    const given = { text: 'No', attachments: [{ key: own }, { key }] };
    const problem = 'Attachments has a file that you have not uploaded, or that is in use already';
    const { body } = await specialist.rest('post', notes, given).expect(422);
    expect(body).toMatchObject({ errors: [['attachments', problem]] });
    const input = { recordId: nodeID, text: 'No', attachments: [{ key: own }, { key }] };
    expect(await specialist.ask('noteCreate', mutation, { input })).toEqual({
      note: null,
      errors: [{ message: problem, path: ['attachments'] }],
    });
  }
  // What was refused has taken nothing. Of two at once, one gets it.
  const twice = await Promise.all(
    ['One', 'Two'].map((text) => specialist.rest('post', notes, { text, attachments: [{ key: own }] })),
  );
  const [made, late] = twice.map(({ status }) => status).sort();
  expect([made, [409, 422].includes(late ?? 0)]).toEqual([201, true]);
  await specialist.rest('post', notes, { text: 'Again', attachments: [{ key: own }] }).expect(422);
});

test('a refused note gives its files back', async () => {
  const { specialist, user, notes, id } = await files.openAccount();
  const key = await uploaded(user, 'mine');
  await user.rest('post', '/v1/requests/999999/notes', { text: 'A', attachments: [{ key }] }).expect(404);
  await user.rest('post', notes, { text: 'A', internal: true, attachments: [{ key }] }).expect(422);
  await specialist.rest('post', `/v1/requests/${id}/archive`).expect(403);
  const admin = await uploaded(specialist, 'other');
  await specialist
    .rest('patch', `/v1/requests/${id}`, { subject: '', note: 'A', note_attachments: [{ key: admin }] })
    .expect(422);
  await specialist
    .rest('patch', `/v1/requests/${id}`, { note: 'A', note_attachments: [{ key: admin }] })
    .set('If-Match', '"old"')
    .expect(412);
  await specialist.rest('patch', `/v1/requests/${id}`, { note: 'A', note_attachments: [{ key: admin }] }).expect(200);
  await user.rest('post', notes, { text: 'A', attachments: [{ key }] }).expect(201);
});

test.each([
  ['no list', 'x', 'must be a list'],
  ['a list of texts', ['x'], 'must each have a key, and may have inline and size'],
  ['a number as key', [{ key: 1 }], 'must each have a key, and may have inline and size'],
  ['an unknown member', [{ key: 'a', name: 'b' }], 'must each have a key, and may have inline and size'],
  ['a text as flag', [{ key: 'a', inline: 'yes' }], 'must each have a key, and may have inline and size'],
  ['a negative size', [{ key: 'a', size: -1 }], 'must each have a key, and may have inline and size'],
  ['one file twice', [{ key: 'a' }, { key: 'a' }], 'must be different files'],
  ['too many', Array.from({ length: 51 }, (_none, n) => ({ key: `${n}` })), 'must be at most 50 files'],
])('%s is refused as attachments', async (_what, attachments, problem) => {
  const { specialist, notes } = await files.openAccount();
  const errors = (body: object) => (body as { readonly errors: unknown }).errors;
  const note = await specialist.rest('post', notes, { text: 'A', attachments }).expect(422);
  expect(errors(note.body as object)).toEqual([['attachments', `Attachments ${problem}`]]);
  const request = { subject: 'A', note: 'A', note_attachments: attachments };
  const record = await specialist.rest('post', '/v1/requests', request).expect(422);
  expect(errors(record.body as object)).toEqual([['note_attachments', `Note attachments ${problem}`]]);
});

test('what does not fit a file is refused: its size, a text as a picture, attachments without a note', async () => {
  const { specialist, notes } = await files.openAccount();
  const key = await uploaded(specialist, '<svg onload="alert(1)"/>', 'a.svg');
  const refusal = async (path: string, body: object) =>
    ((await specialist.rest('post', path, body).expect(422)).body as { readonly errors: unknown }).errors;
  const of = (more: object) => ({ text: 'A', attachments: [{ key, ...more }] });
  expect(await refusal(notes, of({ size: 3 }))).toEqual([['attachments', 'Attachments has a file of 24 bytes, not 3']]);
  expect(await refusal(notes, of({ inline: true }))).toEqual([
    ['attachments', 'Attachments has an inline file that is no picture'],
  ]);
  expect(await refusal('/v1/requests', { subject: 'A', internal_note_attachments: [{ key }] })).toEqual([
    ['internal_note', 'Internal note is required with attachments'],
  ]);
  await specialist.rest('post', notes, of({ size: 24 })).expect(201);
});

test('an upload needs a key of its caller that is current and unused, stands before the file, and a name', async () => {
  const { specialist, user } = await files.openAccount();
  const refused = async (sent: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await sent;
    return [status, (body as { readonly errors?: readonly (readonly string[])[] }).errors?.[0]?.[0]];
  };
  expect(await refused(upload(specialist, 'a', 'a.txt', 'nothing'))).toEqual([422, 'key']);
  expect(await refused(upload(specialist, 'a', 'a.txt', await keyFor(user)))).toEqual([422, 'key']);
  const key = await keyFor(specialist);
  expect(await refused(upload(specialist, 'a', 'x'.repeat(201), key))).toEqual([422, 'file']);
  expect(await refused(upload(specialist, '', 'a.txt', key))).toEqual([422, 'file']);
  expect(await refused(upload(specialist, 'a', 'a.txt', key))).toEqual([200, undefined]);
  expect(await refused(upload(specialist, 'a', 'a.txt', key))).toEqual([422, 'key']);
  const after = specialist.rest('post', '/v1/attachments').attach('file', Buffer.from('a'), 'a.txt');
  expect(await refused(after.field('key', await keyFor(specialist)))).toEqual([422, 'key']);
  expect(await refused(specialist.rest('post', '/v1/attachments').field('key', key))).toEqual([422, 'file']);
  expect(await refused(specialist.rest('post', '/v1/attachments', { key }))).toEqual([415, undefined]);
  const [once] = await Promise.all([keyFor(specialist)]);
  const both = await Promise.all(['a', 'b'].map((text) => refused(upload(specialist, text, 'a.txt', once))));
  expect(both.map(([status]) => status).sort()).toEqual([200, 422]);
  const late = await keyFor(specialist);
  files.graph.clock.pass(10 * 60_000);
  expect(await refused(upload(specialist, 'a', 'a.txt', late))).toEqual([422, 'key']);
});

test('who may not add notes gets no key and uploads nothing', async () => {
  const { account, auditor, specialist } = await files.openAccount();
  await auditor.get('/v1/attachments/storage').expect(403);
  expect((await upload(auditor, 'a', 'a.txt', await keyFor(specialist))).status).toBe(403);
  const scopes = [{ effect: 'allow' as const, actions: ['note:Read', 'request:*'] }];
  const reader = files.graph.as('specialist', { sub: '1', home: account, scopes }, account);
  await reader.get('/v1/attachments/storage').expect(403);
  const { errors } = await reader.graphql('{ attachmentStorage { provider } }');
  expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  await supertest(files.graph.app.http).post('/v1/attachments').expect(401);
  await specialist.rest('delete', '/v1/attachments').expect(405);
});
