import { unusedMilliseconds } from '../attachments/attachment.service';
import { picture, shownIn, startFiles, uploaded } from '../testing/attachment-kit';
import type { Client } from '../testing/start-graph';

let files: Awaited<ReturnType<typeof startFiles>>;
beforeAll(async () => {
  files = await startFiles();
});
afterAll(() => files.stop());

type Shown = ReturnType<typeof shownIn>[number] & { readonly field: string };
const filesIn = (body: unknown) => shownIn(body) as readonly Shown[];
const errorsIn = (body: unknown) => (body as { readonly errors: unknown }).errors;

/** A problem of the client: its path and node id. */
async function problemOf(client: Client, more: object = {}) {
  const { body } = await client.rest('post', '/v1/problems', { subject: 'Disks', ...more }).expect(201);
  const { id, nodeID } = body as { readonly id: number; readonly nodeID: string };
  return { id, nodeID, path: `/v1/problems/${id}`, files: filesIn(body) };
}

const fileFields = 'id key name size inline contentType url';

test('a new record and a changed one get files beside a long text, and readers see them', async () => {
  const { account, specialist } = await files.openAccount();
  const [first, second] = [await uploaded(specialist, 'one', 'one.txt'), await uploaded(specialist, picture, 'a.png')];
  const made = await problemOf(specialist, {
    workaround: 'See',
    workaround_attachments: [{ key: first, filesize: '3' }],
  });
  expect(made.files).toMatchObject([
    {
      field: 'workaround',
      key: first,
      name: 'one.txt',
      size: 3,
      inline: false,
      content_type: 'application/octet-stream',
    },
  ]);
  const { body } = await specialist
    .rest('put', made.path, {
      workaround: `![](${second})`,
      workaround_attachments: [{ key: second, inline: 'true', size: String(picture.length) }],
    })
    .expect(200);
  expect(filesIn(body).map(({ key, inline }) => [key, inline])).toEqual([
    [first, false],
    [second, true],
  ]);
  expect((await specialist.get(made.path).expect(200)).body).toEqual(body);
  await files.download(filesIn(body)[0]!.uri).expect(200, Buffer.from('one'));
  expect(await files.usage(account)).toEqual({ bytes: 3 + picture.length, arriving: [] });
  // They are no longer due, and stay.
  await files.sweep(48 * 3_600_000);
  expect(files.objects(account)).toHaveLength(2);
});

test('GraphQL adds, shows and takes away files', async () => {
  const { specialist } = await files.openAccount();
  const { nodeID } = await problemOf(specialist);
  const [one, two] = [await uploaded(specialist, picture), await uploaded(specialist, 'two')];
  const update = (workaroundAttachments: readonly object[]) =>
    specialist.ask<object>(
      'problemUpdate',
      `mutation ($input: ProblemUpdateInput!) { problemUpdate(input: $input) {
        problem { workaroundAttachments { ${fileFields} } customFieldsAttachments { key } } errors { message path } } }`,
      { input: { id: nodeID, workaroundAttachments } },
    );
  const url = expect.stringContaining('signature=') as string;
  expect(await update([{ key: one, inline: true, size: picture.length }, { key: two }])).toEqual({
    problem: {
      workaroundAttachments: [
        { id: one.split('/')[3], key: one, name: 'a.txt', size: 17, inline: true, contentType: 'image/png', url },
        {
          id: two.split('/')[3],
          key: two,
          name: 'a.txt',
          size: 3,
          inline: false,
          contentType: 'application/octet-stream',
          url,
        },
      ],
      customFieldsAttachments: [],
    },
    errors: [],
  });
  expect(await update([{ key: one, destroy: true }])).toMatchObject({
    problem: { workaroundAttachments: [{ key: two }] },
  });
  expect(await update([{ key: one, destroy: true }])).toEqual({
    problem: null,
    errors: [
      {
        message: 'Workaround attachments cannot lose a file that the text does not have',
        path: ['workaroundAttachments'],
      },
    ],
  });
  const list = await specialist.ask<{ nodes: object[] }>(
    'problems',
    '{ problems(first: 10) { nodes { workaroundAttachments { key } } } }',
  );
  expect(list.nodes).toEqual([{ workaroundAttachments: [{ key: two }] }]);
});

test('a file that is taken away is gone at once, and deleted after a day: its bytes are free then', async () => {
  const { account, specialist } = await files.openAccount();
  const [gone, kept] = [await uploaded(specialist, 'gone'), await uploaded(specialist, 'kept')];
  const { path, files: shown } = await problemOf(specialist, {
    workaround_attachments: [{ key: gone }, { key: kept }],
  });
  const body = { workaround_attachments: [{ key: gone, _destroy: 'true' }] };
  expect(filesIn((await specialist.rest('patch', path, body).expect(200)).body).map(({ key }) => key)).toEqual([kept]);
  await files.download(shown[0]!.uri).expect(404);
  await files.download(shown[1]!.uri).expect(200);
  await files.sweep(unusedMilliseconds - 1);
  expect(files.objects(account)).toHaveLength(2);
  await files.sweep(unusedMilliseconds);
  expect(files.objects(account)).toEqual([kept.split('/')[3]]);
  expect(await files.usage(account)).toMatchObject({ bytes: 4 });
  expect(errorsIn((await specialist.rest('patch', path, body).expect(422)).body)).toEqual([
    ['workaround_attachments', 'Workaround attachments cannot lose a file that the text does not have'],
  ]);
  await specialist.rest('patch', path, { workaround_attachments: [{ key: gone }] }).expect(422);
});

test('custom fields have files, of a record with an extension', async () => {
  const { account, specialist, user } = await files.openAccount();
  const form = Number(account.split('-')[1]);
  await files.graph.publishForm({ id: form, accountId: account });
  const key = await uploaded(user, 'mine');
  const given = { subject: 'Laptop', custom_fields_attachments: [{ key }] };
  expect(errorsIn((await user.rest('post', '/v1/requests', given).expect(422)).body)).toEqual([
    ['custom_fields_attachments', 'Custom fields attachments need a UI extension'],
  ]);
  const { body } = await user.rest('post', '/v1/requests', { ...given, ui_extension_id: form }).expect(201);
  expect(filesIn(body)).toMatchObject([{ key, field: 'custom_fields' }]);
  const { id } = body as { readonly id: number };
  expect(filesIn((await user.get(`/v1/requests/${id}`).expect(200)).body)).toHaveLength(1);
  // It can lose the file also when it has lost the extension.
  await specialist.rest('patch', `/v1/requests/${id}`, { ui_extension_id: null }).expect(200);
  const away = { custom_fields_attachments: [{ key, _destroy: true }] };
  expect(filesIn((await specialist.rest('patch', `/v1/requests/${id}`, away).expect(200)).body)).toEqual([]);
});

test('forms have the list as a JSON text, and records below others take files too', async () => {
  const { account, specialist } = await files.openAccount();
  const form = Number(account.split('-')[1]);
  await files.graph.publishForm({ id: form, accountId: account });
  const { path } = await problemOf(specialist);
  const [one, two] = [await uploaded(specialist, 'one'), await uploaded(specialist, 'two')];
  const text = new URLSearchParams({ workaround_attachments: JSON.stringify([{ key: one, inline: 'false' }]) });
  const { body } = await specialist.rest('patch', path, text.toString()).type('form').expect(200);
  expect(filesIn(body)).toMatchObject([{ key: one }]);
  const made = await specialist.rest('post', '/v1/workflows', { subject: 'Change' }).expect(201);
  const below = `/v1/workflows/${(made.body as { readonly id: number }).id}/tasks`;
  const task = { subject: 'Step', ui_extension_id: form, custom_fields_attachments: [{ key: two }] };
  expect(filesIn((await specialist.rest('post', below, task).expect(201)).body)).toMatchObject([{ key: two }]);
});

test('lists have files when they are asked for, and inputs have no place in `fields`', async () => {
  const { specialist } = await files.openAccount();
  const key = await uploaded(specialist, 'one');
  await problemOf(specialist, { workaround_attachments: [{ key }] });
  await problemOf(specialist);
  const { body: plain } = await specialist.get('/v1/problems').expect(200);
  expect(Object.keys((plain as object[])[0]!)).not.toContain('attachments');
  const { body: asked } = await specialist.get('/v1/problems?fields=id,attachments').expect(200);
  expect((asked as object[]).map((one) => filesIn(one).length)).toEqual([1, 0]);
  await specialist
    .get('/v1/problems?fields=workaround_attachments')
    .expect(400, { message: 'Unknown fields: workaround_attachments' });
});

test('the audit lines name the files that came and went, and an event says that the record changed', async () => {
  const { specialist } = await files.openAccount();
  const [one, two] = [await uploaded(specialist, 'one', 'one.txt'), await uploaded(specialist, 'two', 'two.txt')];
  const { nodeID, path } = await problemOf(specialist, { workaround_attachments: [{ key: one }] });
  const { headers } = await specialist.get(path).expect(200);
  const body = { workaround_attachments: [{ key: two }, { key: one, _destroy: true }] };
  await specialist.rest('patch', path, body).set('If-Match', '"9"').expect(412);
  await specialist.rest('patch', path, body).set('If-Match', String(headers['etag'])).expect(200);
  const { body: lines } = await specialist.get(`${path}/audit`).expect(200);
  const changes = (lines as { readonly changes: readonly { readonly field: string }[] }[]).flatMap(
    (line) => line.changes,
  );
  expect(changes.filter(({ field }) => field === 'workaroundAttachments')).toEqual([
    { field: 'workaroundAttachments', from: null, to: 'one.txt' },
    { field: 'workaroundAttachments', from: 'one.txt', to: 'two.txt' },
  ]);
  await files.graph.settled();
  const { events } = files.graph;
  expect(events.filter(({ object }) => object.nodeID === nodeID).map(({ event }) => event)).toEqual([
    'problem.create',
    'problem.update',
  ]);
});

test('a file that the text has already is passed over, so a call can be repeated', async () => {
  const { specialist } = await files.openAccount();
  const key = await uploaded(specialist, 'one');
  const { path } = await problemOf(specialist);
  const body = { workaround: 'See', workaround_attachments: [{ key }] };
  const [first, repeated] = [
    await specialist.rest('patch', path, body).set('Idempotency-Key', 'a').expect(200),
    await specialist.rest('patch', path, body).set('Idempotency-Key', 'a').expect(200),
  ];
  expect(repeated.body).toEqual(first.body);
  const again = await specialist.rest('patch', path, body).expect(200);
  expect([again.body, again.headers['etag']]).toEqual([first.body, first.headers['etag']]);
});
