import { cellsOf, unzip } from '@itsm/shared/testing/unzip';
import { startImporting } from '../testing/importers';
import type { Importing } from '../testing/importers';
import { ask, download, rowsOf } from '../testing/exporters';
import type { Somebody } from '../testing/exporters';
import { baseUrl } from '../testing/start-graph';

let importing: Importing;
let graph: Importing['graph'];
beforeAll(async () => {
  importing = await startImporting();
  ({ graph, somebody } = importing);
});
afterAll(async () => {
  await importing.close();
});

let somebody: Importing['somebody'];

const day = 24 * 60 * 60 * 1_000;

const subjectsOf = async (who: Somebody, body: object): Promise<unknown[]> =>
  (await rowsOf(who, body)).map(({ Subject }) => Subject);

test('a token shows the state and the address of an archive with a file of each type', async () => {
  const admin = somebody();
  await admin.run('request', 'subject\nOne\n');
  await admin.run('problem', 'subject\nTwo\n');
  const answer = await admin.post('/v1/export').send({ type: 'requests, problem,requests' }).expect(200);
  const { token } = answer.body as { token: string };
  expect(answer.headers['location']).toBe(`/v1/export/${token}`);
  const { body } = await admin.get(`/v1/export/${token}`).expect(200);
  const at = graph.clock.now().getTime();
  expect(body).toEqual({
    token,
    type: 'request,problem',
    state: 'done',
    url: `${baseUrl}/v1/export/${token}/file`,
    from: null,
    created_at: new Date(at).toISOString().replace('.000Z', 'Z'),
    expires_at: new Date(at + 2 * day).toISOString().replace('.000Z', 'Z'),
  });
  const file = await admin.get(`/v1/export/${token}/file`).responseType('blob').expect(200);
  expect(file.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename=export-request-problem.zip',
    'cache-control': 'no-store',
  });
  const files = unzip(file.body as Buffer);
  const today = new Date(at).toISOString().slice(0, 10);
  expect([...files.keys()]).toEqual([`${today}-requests.csv`, `${today}-problems.csv`]);
  expect(files.get(`${today}-problems.csv`)).toMatch(/^ID,Subject,Impact,.*\r\n\d+,Two,,.*\r\n$/);
});

test.each(['json', 'form', 'parts'])('an export can be asked for by %s', async (kind) => {
  const admin = somebody();
  await admin.run('request', 'subject\nOne\n');
  const call = admin.post('/v1/export');
  const sent =
    kind === 'json'
      ? call.send({ type: 'request', export_format: 'csv', from: null })
      : kind === 'form'
        ? call.type('form').send({ type: 'request' })
        : call.field('type', 'request');
  const { body } = await sent.expect(200);
  expect((await download(admin, (body as { token: string }).token)).size).toBe(1);
});

test('more records than are read at once are all there, once each', async () => {
  const admin = somebody();
  const subjects = Array.from({ length: 1_001 }, (_none, index) => `Row ${index}`);
  await admin.run('task', ['subject', ...subjects].join('\n'));
  graph.clock.pass(1_000);
  expect(await subjectsOf(admin, { type: 'tasks' })).toEqual(subjects);
  const from = new Date(graph.clock.now().getTime() - 60_000).toISOString();
  expect(await subjectsOf(admin, { type: 'tasks', from })).toEqual(subjects);
});

describe('since a time', () => {
  test('only what has changed since is there, and without a change there is no content', async () => {
    const admin = somebody();
    await admin.run('request', 'subject,source,sourceID\nOne,S,1\nTwo,S,2\n');
    graph.clock.pass(60_000);
    const from = graph.clock.now().toISOString();
    const none = await admin.post('/v1/export').send({ type: 'request', from }).expect(204);
    expect(none.text).toBe('');
    await admin.run('request', 'subject,source,sourceID\nTwo,S,2\nThree,S,3\nOther,S,1\n');
    graph.clock.pass(60_000);
    expect(await subjectsOf(admin, { type: 'request', from })).toEqual(['Other', 'Three']);
  });

  test('what changes after the question is in the next export, and a full export has everything', async () => {
    const admin = somebody();
    await admin.run('request', 'subject,source,sourceID\nOne,S,1\nTwo,S,2\n');
    graph.clock.pass(60_000);
    const until = graph.clock.now().toISOString();
    const token = await ask(admin, { type: 'request', from: '2020-01-01' });
    await admin.run('request', 'subject,source,sourceID\nChanged,S,2\n');
    graph.clock.pass(60_000);
    const [text = ''] = [...(await download(admin, token)).values()];
    expect(cellsOf(text).map(([, subject]) => subject)).toEqual(['Subject', 'One']);
    expect(await subjectsOf(admin, { type: 'request', from: until })).toEqual(['Changed']);
    expect(await subjectsOf(admin, { type: 'request' })).toEqual(['One', 'Changed']);
  });

  test('a day begins and a time is meant in the zone of the caller', async () => {
    const { account } = somebody();
    const as = graph.as('specialist', { time_zone: 'America/New_York' }, account);
    await as.rest('post', '/v1/requests', { subject: 'One' }).expect(201);
    graph.clock.pass(1_000);
    for (const [from, meant] of [
      ['20200102', '2020-01-02T05:00:00Z'],
      ['2020-01-02', '2020-01-02T05:00:00Z'],
      ['2020-07-02 12:30', '2020-07-02T16:30:00Z'],
      ['20200702T12:30:00+02:00', '2020-07-02T10:30:00Z'],
    ]) {
      const { body } = await as.rest('post', '/v1/export', { type: 'request', from }).expect(200);
      const found = await as.get(`/v1/export/${(body as { token: string }).token}`).expect(200);
      expect((found.body as { from: string }).from).toBe(meant);
    }
  });
});

test.each([
  [{}, ['type', "Type can't be blank"]],
  [{ type: ' , ' }, ['type', "Type can't be blank"]],
  [{ type: 7 }, ['type', "Type can't be blank"]],
  [{ type: 'requests,nothing' }, ['type', expect.stringMatching(/^Type must be one or several of requests, /)]],
  [{ type: '__proto__' }, ['type', expect.stringMatching(/^Type must be /)]],
  [{ type: 'request', from: 'yesterday' }, ['from', 'From is not a time such as 2026-03-18T19:04:06Z']],
  [{ type: 'request', from: '2026-02-30' }, ['from', 'From is not a date']],
  [{ type: 'request', from: 7 }, ['from', 'From is not a text']],
  [{ type: 'request', export_format: 'xlsx' }, ['export_format', 'Export format must be csv']],
  [{ type: 'request', colour: 'red' }, ['colour', 'Unknown member']],
])('%j is refused', async (body, problem) => {
  const { status, body: answer } = await somebody().post('/v1/export').send(body);
  expect([status, answer]).toMatchObject([422, { errors: [problem] }]);
});

test('other bodies and methods are refused', async () => {
  const { post, get } = somebody();
  await post('/v1/export').type('text/csv').send('type').expect(415);
  await post('/v1/export').type('json').send('[').expect(400);
  await post('/v1/export').field('type', 'request').attach('file', Buffer.from('x'), 'a').expect(413);
  expect((await get('/v1/export').expect(405)).headers['allow']).toBe('POST');
  await post('/v1/export/x').expect(405);
  await post('/v1/export/x/file').expect(405);
});

describe('callers see what they may see', () => {
  test.each(['end_user', 'key_contact'] as const)('nothing as %s', async (role) => {
    const owner = somebody();
    const token = await ask(owner, { type: 'request' });
    const other = graph.as(role, {}, owner.account);
    await other.rest('post', '/v1/export', { type: 'request' }).expect(403);
    await other.get(`/v1/export/${token}/file`).expect(403);
  });

  test.each([
    [['request:Read'], 403],
    [['export:Read'], 403],
    [['export:Read', 'request:Read'], 200],
    [['*:Read'], 200],
  ])('with the scopes %j: %i', async (actions, status) => {
    const owner = somebody('auditor');
    const token = await ask(owner, { type: 'request' });
    const scopes = [{ effect: 'allow' as const, actions }];
    const other = graph.as('auditor', { scopes }, owner.account);
    await other.rest('post', '/v1/export', { type: 'request' }).expect(status);
    await other.get(`/v1/export/${token}/file`).expect(status);
  });

  test('no columns of what their scopes do not let them read', async () => {
    const owner = somebody();
    const reduced = (actions: string[]) =>
      ({
        get: (path: string) => graph.as('auditor', { scopes: [{ effect: 'allow', actions }] }, owner.account).get(path),
        post: (path: string) =>
          graph.as('auditor', { scopes: [{ effect: 'allow', actions }] }, owner.account).rest('post', path),
      }) satisfies Somebody;
    await owner.run('request', 'subject\nOne\n');
    const [row] = await rowsOf(reduced(['export:Read', 'request:Read', 'team:Read']), { type: 'request' });
    const names = Object.keys(row ?? {});
    expect(names).toEqual(expect.arrayContaining(['ID', 'Subject', 'Team', 'Custom fields', 'Updated at']));
    for (const name of ['Member', 'Requested by', 'Problem', 'Workflow', 'UI extension'])
      expect(names).not.toContain(name);
  });

  test('nothing of other accounts, of the trash or of the archive, and no note', async () => {
    const owner = somebody('account_administrator');
    await somebody().run('request', 'subject\nOf others\n');
    await owner.run('request', 'subject,internal_note\nKept,Secret\nTrashed,\nArchived,\n');
    const [, trashed, archived] = (await owner.list('/v1/requests?fields=id')).map(({ id }) => Number(id));
    await owner.post(`/v1/requests/${trashed}/trash`).expect(200);
    await owner.run('request', `id,status\n${archived},completed\n`);
    await owner.post(`/v1/requests/${archived}/archive`).expect(200);
    const [text = ''] = [...(await download(owner, await ask(owner, { type: 'request' }))).values()];
    expect(cellsOf(text).map(([, subject]) => subject)).toEqual(['Subject', 'Kept']);
    expect(text).not.toContain('Secret');
  });

  test('nothing that a partner shares, though it is in the list', async () => {
    const [owner, partner] = [somebody(), somebody()];
    const trusts = (other: { readonly account: string }, as: 'provider' | 'customer') => ({
      trusts: [{ accountId: other.account, as }],
    });
    await graph.publishAccount({ id: owner.account, ...trusts(partner, 'provider') });
    await graph.publishAccount({ id: partner.account, ...trusts(owner, 'customer') });
    const file = `name,provider_id,customer_id\nShared,${partner.account},${owner.account}\n`;
    expect(await owner.run('sla', file)).toMatchObject({ results: { created: 1 } });
    expect(await partner.list('/v1/slas?fields=name')).toMatchObject([{ name: 'Shared' }]);
    expect(await rowsOf(partner, { type: 'slas' })).toEqual([]);
    expect(await rowsOf(owner, { type: 'slas' })).toHaveLength(1);
  });

  test('no export of another account, by no token that is made up, and none that has expired', async () => {
    const owner = somebody();
    const token = await ask(owner, { type: 'request' });
    const stranger = somebody();
    const madeUp = Buffer.from('{"account":"x","types":["nothing"],"at":"2026-01-01T00:00:00Z","from":null}');
    const mine = JSON.stringify({ ...JSON.parse(Buffer.from(token, 'base64url').toString()), types: ['nothing'] });
    for (const path of [token, 'nothing', '%00', madeUp.toString('base64url'), 'x'.repeat(5_000)]) {
      await stranger.get(`/v1/export/${path}`).expect(404, { message: 'Not Found' });
      await stranger.get(`/v1/export/${path}/file`).expect(404, { message: 'Not Found' });
    }
    await owner.get(`/v1/export/${Buffer.from(mine).toString('base64url')}`).expect(404);
    for (const changed of [{ types: ['request', 'request'] }, { at: '9999-12-31T00:00:00Z' }, { types: [] }]) {
      const content = { ...JSON.parse(Buffer.from(token, 'base64url').toString()), ...changed };
      const path = `/v1/export/${Buffer.from(JSON.stringify(content)).toString('base64url')}`;
      await owner.get(path).expect(404);
      await owner.get(`${path}/file`).expect(404);
    }
    graph.clock.pass(2 * day - 1);
    await owner.get(`/v1/export/${token}`).expect(200);
    graph.clock.pass(1);
    await owner.get(`/v1/export/${token}`).expect(404);
    await owner.get(`/v1/export/${token}/file`).expect(404);
  });
});
