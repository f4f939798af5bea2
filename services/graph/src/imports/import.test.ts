import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import supertest from 'supertest';
import type { ReservedNumbers } from '../write/record-import';
import { createEngine } from '../testing/create-engine';
import { createImporters } from '../testing/importers';
import { startGraph } from '../testing/start-graph';
import type { RunningGraph } from '../testing/start-graph';
import type { Import } from './import';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  keys = await startCallerKeys();
  graph = await startGraph(mongo, keys);
  somebody = createImporters(graph.app.http, keys);
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

let somebody: ReturnType<typeof createImporters>;
const noResults = { created: 0, updated: 0, unchanged: 0, failures: 0 };

test('a file becomes records; imported again it updates only what differs; both without events', async () => {
  const { run, list } = somebody();
  const before = graph.events.length;
  const file = (subject: string) => `subject,status,source,sourceID\nFirst,assigned,HR,1\n${subject},assigned,HR,2\n`;
  expect(await run('request', file('Second'))).toMatchObject({
    state: 'done',
    line: 3,
    message: null,
    logfile: null,
    results: { ...noResults, created: 2 },
  });
  const again = await run('request', file('Changed'));
  expect(again.results).toEqual({ ...noResults, updated: 1, unchanged: 1 });
  const subjects = (await list('/v1/requests?fields=subject')).map(({ subject }) => subject);
  expect(subjects).toEqual(['First', 'Changed']);
  expect(graph.events.length).toBe(before);
});

test('imports take as many numbers as they have rows, since people use the numbers', async () => {
  const { run, list } = somebody();
  for (const file of ['subject\nOne\n', 'subject\nTwo\nThree\n', 'subject\nFour\n']) await run('request', file);
  const [first, ...others] = (await list('/v1/requests?fields=id')).map(({ id }) => Number(id));
  expect(others.map((id) => id - first!)).toEqual([1, 2, 3]);
});

test('the answer has a token, at whose URL the progress can be read', async () => {
  const { send, get, finished, account } = somebody();
  const answer = await send('request', 'subject\nOne\n').expect(202);
  const { token } = answer.body as { token: string };
  expect(answer.headers['location']).toBe(`/v1/import/${token}`);
  await finished(token);
  const { body } = await get(`/v1/import/${token}`);
  expect(Object.keys(body as object)).toEqual([
    'token',
    'type',
    'state',
    'dry_run',
    'results',
    'blank',
    'line',
    'bytes',
    'message',
    'logfile',
    'created_at',
    'updated_at',
  ]);
  expect(body).toMatchObject({ token, type: 'request', state: 'done', bytes: 12 });
  expect(account).toMatch(/^import-/);
});

test('failed lines are reported with line, column and reason, and do not stop the others', async () => {
  const { run, get, list } = somebody();
  const lines = [
    'subject,status,source,sourceID',
    'Good,assigned,X,1',
    'Bad,nowhere,X,2',
    ',assigned,X,3',
    '"=1+1"x,a,b,c',
  ];
  const done = await run('request', [...lines, 'Too,few', 'Last,assigned,X,4', ''].join('\n'));
  expect(done).toMatchObject({ state: 'done', line: 7, results: { ...noResults, created: 2, failures: 4 } });
  const log = await get(done.logfile ?? '').expect(200);
  expect(log.headers['content-type']).toMatch(/^text\/csv/);
  const [head, ...failures] = log.text.trim().split('\n');
  expect(head).toBe('line,column,message');
  expect(failures.map((line) => line.split(',').slice(0, 2))).toEqual([
    ['3', '"status"'],
    ['4', '"subject"'],
    ['5', '""'],
    ['6', '""'],
  ]);
  expect(failures[3]).toContain('The line has 2 cells, but there are 4 columns');
  expect((await list('/v1/requests?fields=subject')).map(({ subject }) => subject)).toEqual(['Good', 'Last']);
});

test.each([
  [
    'a custom field without an id',
    'subject,custom_fields.\nA,red\n',
    /^Unknown columns: custom_fields\.\. Known are: id, /,
  ],
  ['an unknown column', 'subject,colour\nA,red\n', /^Unknown columns: colour\. Known are: id, /],
  ['a column twice', 'subject,subject\nA,B\n', /^The column subject is there twice$/],
  ['no rows and no header', '\n\n', /^The file is empty$/],
  ['a header that is broken', 'subject,"status\n', /^The first line must name the columns: A quote is not closed$/],
])('a file with %s fails as a whole, with a reason', async (_what, file, message) => {
  const failed = await somebody().run('request', file);
  expect(failed).toMatchObject({ state: 'failed', results: noResults });
  expect(failed.message).toMatch(message);
});

describe('refused at once', () => {
  test('another content type', async () => {
    const { post } = somebody();
    await post('/v1/import').send({ type: 'request' }).expect(415);
    await post('/v1/import').set('Content-Type', 'multipart/form-data').send('x').expect(400, {
      message: 'Content-Type has no boundary',
    });
  });

  test('a malformed or truncated body', async () => {
    const { post } = somebody();
    const type = 'multipart/form-data; boundary=x';
    for (const body of [
      'nothing',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nsubject\nA',
    ]) {
      const { status, body: answer } = await post('/v1/import').set('Content-Type', type).send(body);
      expect([status, answer]).toEqual([400, { message: 'The body is not valid multipart/form-data' }]);
    }
  });

  test('a missing part, an unknown type', async () => {
    const { post, send } = somebody();
    const typeless = await post('/v1/import').attach('file', Buffer.from('subject\nA\n'), 'a.csv');
    expect([typeless.status, typeless.body]).toMatchObject([422, { errors: [['type', "Type can't be blank"]] }]);
    const fileless = await post('/v1/import').field('type', 'request');
    expect([fileless.status, fileless.body]).toMatchObject([422, { errors: [['file', "File can't be blank"]] }]);
    for (const type of ['nothing', '__proto__', 'request '.repeat(10)]) {
      const { status, body } = await send(type, 'subject\nA\n');
      expect([status, body]).toMatchObject([
        422,
        { errors: [['type', expect.stringMatching(/^Type must be one of /)]] },
      ]);
    }
  });

  test('a file over the limit, of which nothing is stored', async () => {
    const { send } = somebody();
    const chunks = () => graph.connection.collection('import_chunks').countDocuments();
    const before = await chunks();
    const { status, body } = await send('request', Buffer.alloc(20_000_001, 'a'));
    expect([status, body]).toEqual([413, { message: 'The file may have at most 20000000 bytes; send it in parts' }]);
    expect(await chunks()).toBe(before);
  });

  test('a chunked gigabyte, early and in little memory', async () => {
    const { account } = somebody();
    const claims = { accounts: { [account]: ['specialist' as const] } };
    const server = createServer(graph.app.http).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nsubject\n';
    const piece = Buffer.from('A line of the file\n'.repeat(3_450));
    let sent = 0;
    let status: number | undefined;
    const body = function* () {
      yield Buffer.from(head);
      for (; sent < 2 ** 30 && status === undefined; sent += piece.length) yield piece;
    };
    const upload = request({
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      path: '/v1/import',
      method: 'POST',
      headers: {
        'Content-Type': 'multipart/form-data; boundary=x',
        Authorization: `Bearer ${keys.token(claims)}`,
        'X-Service-Account': account,
      },
    });
    upload.on('response', (response) => {
      status = response.statusCode;
      response.resume();
    });
    await pipeline(Readable.from(body()), upload).catch(() => undefined);
    await waitUntil('the answer', () => status);
    expect(status).toBe(413);
    expect(sent).toBeLessThan(100_000_000);
    server.closeAllConnections();
    server.close();
    await waitUntil(
      'no pieces',
      async () => (await graph.connection.collection('import_chunks').countDocuments()) === 0,
    );
  });

  test('the eleventh unfinished import', async () => {
    const { account, send } = somebody();
    const imports = graph.connection.collection('imports');
    const waiting = { accountId: account, state: 'queued', leaseUntil: new Date(Date.now() + 3_600_000) };
    await imports.insertMany(Array.from({ length: 10 }, () => ({ ...waiting })));
    await send('request', 'subject\nA\n').expect(409);
  });

  test('other methods', async () => {
    const { post, as, account } = somebody();
    await post('/v1/import/x').expect(405);
    expect((await as(account).get('/v1/import/x/cancel').expect(405)).headers['allow']).toBe('POST');
  });
});

describe('callers who may not', () => {
  const file = 'subject\nA\n';

  test.each([
    ['end_user', ['*:*']],
    ['auditor', ['*:*']],
    ['specialist', ['*:Read']],
    ['specialist', ['import:*']],
    ['specialist', ['import:*', 'request:Create']],
  ] as const)('a caller as %s with %j may not', async (role, scopes) => {
    await somebody(role, [...scopes])
      .send('request', file)
      .expect(403);
  });

  test('a caller with the scopes of the import and of its records may', async () => {
    const { send } = somebody('account_administrator', ['import:*', 'request:Create', 'request:Update']);
    await send('request', file).expect(202);
  });

  test('no caller without a token', async () => {
    await supertest(graph.app.http).post('/v1/import').set('X-Service-Account', 'wdc').expect(401);
  });

  test('an import of another account is not found, and neither is its log', async () => {
    const owner = somebody();
    const token = owner.tokenIn(await owner.send('request', 'subject\nA\n"x"y\n').expect(202));
    await owner.finished(token);
    const stranger = somebody();
    for (const path of [`/v1/import/${token}`, `/v1/import/${token}/log`, '/v1/import/nothing']) {
      await stranger.get(path).expect(404, { message: 'Not Found' });
    }
    await owner.get(`/v1/import/${token}/log`).expect(200);
  });
});

test('a malformed line in the middle of many fails alone', async () => {
  const { run, get } = somebody();
  const lines = Array.from({ length: 6_000 }, (_, index) => `Row ${index + 2},bulk,${index + 2}`);
  lines[4_199] = 'Row 4201,"bulk"x,4201';
  const done = await run('task', ['subject,source,sourceID', ...lines].join('\n'));
  expect(done.results).toEqual({ ...noResults, created: 5_999, failures: 1 });
  expect((await get(done.logfile ?? '')).text).toMatch(/^4201,"","Something stands between/m);
});

test('an import of a stopped process is finished by another one, without duplicates', async () => {
  const running = await startGraph(mongo, keys, 'left_import');
  const token = keys.token({ accounts: { wdc: ['specialist'] } });
  const headers = { Authorization: `Bearer ${token}`, 'X-Service-Account': 'wdc' };
  const lines = Array.from({ length: 4_000 }, (_, index) => `Row ${index + 2}`);
  const file = Buffer.from(['subject,note', ...lines.map((subject) => `${subject},Note on ${subject}`)].join('\n'));
  const answer = await supertest(running.app.http)
    .post('/v1/import')
    .set(headers)
    .field('type', 'problem')
    .attach('file', file, 'problems.csv')
    .expect(202);
  const { body: started } = answer as { body: { token: string } };
  const imports = running.connection.collection<Import & { _id: string; reserved: ReservedNumbers }>('imports');
  const stored = () => imports.findOne({ _id: started.token });
  await waitUntil('the first batch', async () => ((await stored())?.line ?? 0) > 0);
  await running.app.stop();
  const left = await stored();
  expect([left?.state, (left?.line ?? 0) < 3_501]).toEqual(['processing', true]);
  // The state that a process leaves when it is killed before it stores its progress.
  const rows = lines
    .slice(left!.line - 1, left!.line + 499)
    .map((subject) => ({ subject, note: `Note on ${subject}` }));
  const { importer } = createEngine(running.connection).writing;
  await importer.importRows('problem', 'wdc', left!.caller, rows, left!.reserved);

  const successor = await startGraph(mongo, keys, 'left_import');
  await waitUntil('the end', async () => (await stored())?.state === 'done');
  expect((await stored())?.results).toEqual({ ...noResults, created: 4_000 });
  for (const name of ['problems', 'notes', 'audit_lines']) {
    expect(await running.connection.collection(name).countDocuments()).toBe(4_000);
  }
  const chunks = running.connection.collection('import_chunks');
  await waitUntil('the file to go', async () => (await chunks.countDocuments()) === 0);
  await successor.stop();
  await running.stop();
});
