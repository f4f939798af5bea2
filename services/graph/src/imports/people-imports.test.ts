import type { PeopleRowsRead } from '@itsm/shared/contracts/imports';
import { writeTime } from '@itsm/shared/base/time/time-text';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { createImporters } from '../testing/importers';
import { startGraph } from '../testing/start-graph';
import type { RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let somebody: ReturnType<typeof createImporters>;
beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  somebody = createImporters(graph.app.http, keys);
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

type Importer = ReturnType<typeof somebody>;
const none = { created: 0, updated: 0, unchanged: 0, failures: 0 };

/** The rows of this import that were sent, once there are so many messages. */
const sent = ({ account }: Importer, count = 1, from = graph): Promise<readonly PeopleRowsRead[]> =>
  waitUntil(`${count} messages with rows`, () => {
    const found = from.peopleRows.filter(({ accountId }) => accountId === account);
    return found.length >= count ? found : undefined;
  });

const stateOf = async ({ get }: Importer, token: string) =>
  (await get(`/v1/import/${token}`).expect(200)).body as Readonly<Record<string, unknown>>;

/** Has an import of the caller waiting for the answer to its first rows. */
async function waiting(importer: Importer, file = 'Name,Primary email\nAda,ada@wdc.example\n') {
  const token = importer.tokenIn(await importer.send('people', file).expect(202));
  const [rows] = await sent(importer);
  return { token, rows: rows! };
}

const allCreated = ({ importId, line, rows }: PeopleRowsRead) =>
  graph.answerRows({ importId, line, outcome: { results: { ...none, created: rows.length }, failures: [] } });

test('the rows of people are sent as texts, and what became of them is counted once', async () => {
  const ellen = somebody('account_administrator');
  const { account, tokenIn, post, get } = ellen;
  const file = '\uFEFFName;Primary Email\r\n\r\nAda;"ada@wdc.example\n"\r\n;;;\r\nBob;b;c\r\n';
  const form = post('/v1/import').field('type', 'person').field('invite', 'yes').field('dry_run', '1');
  const token = tokenIn(await form.attach('file', Buffer.from(file), 'people.csv').expect(202));
  const [rows] = await sent(ellen);
  expect(rows).toEqual({
    importId: token,
    accountId: account,
    line: 6,
    headers: ['Name', 'Primary Email'],
    rows: [
      { line: 4, cells: ['Ada', 'ada@wdc.example\n'] },
      { line: 6, cells: ['Bob', 'b', 'c'] },
    ],
    isDryRun: true,
    invites: true,
    importer: expect.objectContaining({ roles: ['account_administrator'], kind: 'personal' }) as unknown,
    queuedAt: writeTime(graph.clock.now()),
  });
  expect(await stateOf(ellen, token)).toMatchObject({ state: 'processing', line: 0, dry_run: true, invite: true });
  const failures = [{ line: 6, column: 'Primary Email', message: 'is, "wrong"' }];
  const outcome = { results: { ...none, created: 1, failures: 1 }, failures };
  const answer = { importId: token, line: 6, outcome };
  await Promise.all([graph.answerRows(answer), graph.answerRows(answer)]);
  await graph.answerRows(answer);
  const done = await stateOf(ellen, token);
  expect(done).toMatchObject({ type: 'person', state: 'done', line: 6, blank: 2, results: outcome.results });
  const { text } = await get(`/v1/import/${token}/log`).expect(200);
  expect(text).toBe('line,column,message\n6,"Primary Email","is, ""wrong"""\n');
  expect(await graph.connection.collection('import_chunks').countDocuments({ _id: new RegExp(token) as never })).toBe(
    0,
  );
});

test('rows go out in parts, each after the one before was answered, while imports of others go on', async () => {
  const [ellen, other] = [somebody('account_administrator'), somebody()];
  const lines = Array.from({ length: 1_100 }, (_, n) => `P${n},p${n}@wdc.example`).join('\n');
  const { token, rows } = await waiting(ellen, `Name,Primary email\n${lines}\n`);
  // One of the same account that comes later may be about these people.
  const later = ellen.tokenIn(await ellen.send('request', 'subject\nOne\n').expect(202));
  expect(await other.run('request', 'subject\nOne\n')).toMatchObject({ state: 'done' });
  expect(rows.rows).toHaveLength(500);
  expect(await sent(ellen)).toHaveLength(1);
  expect(await stateOf(ellen, later)).toMatchObject({ state: 'queued' });

  await allCreated(rows);
  const [, second] = await sent(ellen, 2);
  expect(second).toMatchObject({ line: 1_001, headers: rows.headers });
  expect(await stateOf(ellen, token)).toMatchObject({ state: 'processing', line: 501, results: { created: 500 } });
  // A late repetition of the first answer is not that of the second.
  await allCreated(rows);
  await allCreated(second!);
  const [, , third] = await sent(ellen, 3);
  await allCreated(third!);
  expect(await stateOf(ellen, token)).toMatchObject({
    state: 'done',
    line: 1_101,
    results: { ...none, created: 1_100 },
  });
  expect(await ellen.finished(later)).toMatchObject({ state: 'done' });
});

test('long rows go out in smaller parts', async () => {
  const ellen = somebody('account_administrator');
  const row = `${'x'.repeat(200_000)},a@wdc.example\n`;
  const { rows } = await waiting(ellen, `Name,Primary email\n${row.repeat(3)}`);
  expect(rows.rows).toHaveLength(2);
});

test('answers for imports that nobody knows, or that have ended, change nothing', async () => {
  const ellen = somebody('account_administrator');
  const { token, rows } = await waiting(ellen);
  await allCreated({ ...rows, importId: 'unknown' });
  await allCreated({ ...rows, line: 99 });
  await graph.answerRows({ importId: token, line: 'x' } as never);
  expect(await stateOf(ellen, token)).toMatchObject({ state: 'processing', results: none });
  await allCreated(rows);
  await graph.answerRows({ importId: token, line: rows.line, outcome: { problem: 'late' } });
  expect(await stateOf(ellen, token)).toMatchObject({ state: 'done', message: null });
});

test('a file with wrong columns fails with what the other service says', async () => {
  const ellen = somebody('account_administrator');
  const { token, rows } = await waiting(ellen, 'Shoe size\n');
  expect(rows).toMatchObject({ headers: ['Shoe size'], rows: [], line: 0 });
  await graph.answerRows({ importId: token, line: 0, outcome: { problem: 'Unknown columns: Shoe size' } });
  expect(await stateOf(ellen, token)).toMatchObject({ state: 'failed', message: 'Unknown columns: Shoe size' });
  expect(await ellen.run('people', '\n\n')).toMatchObject({ state: 'failed', message: 'The file is empty' });
});

test('a canceled one ends with the answer for the rows at hand', async () => {
  const ellen = somebody('account_administrator');
  const lines = Array.from({ length: 750 }, (_, n) => `P${n}`).join('\n');
  const { token, rows } = await waiting(ellen, `Name\n${lines}\n`);
  await ellen.post(`/v1/import/${token}/cancel`).expect(200);
  await allCreated(rows);
  expect(await stateOf(ellen, token)).toMatchObject({ state: 'canceled', line: 501, results: { created: 500 } });
});

test('rows that are not answered are sent again, also by another process', async () => {
  const ellen = somebody('account_administrator');
  const { token } = await waiting(ellen);
  const database = graph.connection.name;
  const other = await startGraph(mongo, keys, database);
  graph.clock.pass(11 * 60_000);
  other.clock.pass(11 * 60_000);
  await somebody().send('request', 'subject\nOne\n').expect(202);
  const again = await waitUntil('the rows to be sent again', () =>
    [...graph.peopleRows.slice(1), ...other.peopleRows].filter(({ importId }) => importId === token).at(-1),
  );
  await other.answerRows({
    importId: token,
    line: again.line,
    outcome: { results: { ...none, created: 1 }, failures: [] },
  });
  expect(await stateOf(ellen, token)).toMatchObject({ state: 'done', results: { created: 1 } });
  await other.stop();
});
