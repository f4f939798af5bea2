import { waitUntil } from '@itsm/shared/testing/wait-until';
import { recordTypes } from '../record-types/all';
import { startImporting } from '../testing/importers';
import type { Importing } from '../testing/importers';
import { fileColumns } from '@itsm/shared/declared/file-columns';
import { columnFinder } from '../write/file-columns';

let importing: Importing;
let graph: Importing['graph'];
let somebody: Importing['somebody'];
beforeAll(async () => {
  importing = await startImporting();
  ({ graph, somebody } = importing);
  await graph.publishPerson({ id: 2 });
});
afterAll(async () => {
  await importing.close();
});

test.each([
  ['labels', 'Subject,Known error,Time spent,Source,Source ID\nS,true,5,X,1\n'],
  ['labels in another case', 'SUBJECT,known ERROR, Time  Spent ,source,SOURCE_ID\nS,true,5,X,1\n'],
  ['names of fields', 'subject,knownError,timeSpent,source,sourceID\nS,true,5,X,1\n'],
  ['names of REST', 'subject,known_error,time_spent,source,source_id\nS,true,5,X,1\n'],
  ['semicolons', 'Subject;Known error;Time spent;Source;Source ID\nS;TRUE;5;X;1\n'],
  ['tabs', 'Subject\tKnown error\tTime spent\tSource\tSource ID\nS\tYes\t5\tX\t1\n'],
  ['a truth as a number', 'Subject,Known error,Time spent,Source,Source ID\nS,1,5,X,1\n'],
])('a file with %s is read', async (_what, file) => {
  const { run, list } = somebody();
  expect(await run('problems', file)).toMatchObject({ results: { created: 1, failures: 0 } });
  const [found] = await list('/v1/problems?fields=subject,known_error,time_spent,source,sourceID');
  expect(found).toMatchObject({ subject: 'S', known_error: true, time_spent: 5, source: 'X', sourceID: '1' });
});

test.each(['no', 'FALSE', '0'])('%s is false', async (cell) => {
  const { run, list } = somebody();
  await run('problem', `subject,known_error\nS,${cell}\n`);
  expect(await list('/v1/problems?fields=known_error')).toMatchObject([{ known_error: false }]);
});

test('the list of failed lines names the column as the file does, and says what would be right', async () => {
  const { run, get } = somebody();
  const done = await run(
    'problem',
    [
      'Subject;KNOWN ERROR;Status;Time_Spent;Member;Custom Fields.floor',
      'S;perhaps;assigned;1;;',
      'S;no;nowhere;1;;',
      'S;no;assigned;many;;',
      'S;no;assigned;1;nobody;',
      'S;no;assigned;1;;3',
    ].join('\n'),
  );
  expect((await get(done.logfile ?? '')).text.trim().split('\n').slice(1)).toEqual([
    '2,"KNOWN ERROR","Known error is not true or false"',
    expect.stringMatching(/^3,"Status","Status is not one of declined, /),
    '4,"Time_Spent","Time spent is not a whole number from 0 to 1000000"',
    '5,"Member","Member was not found"',
    '6,"Custom Fields.floor","Custom fields need a UI extension"',
  ]);
});

test.each([
  ['Subject,subject\nA,B\n', 'The column subject is there twice'],
  ['Member,member_id\n1,1\n', 'The column member_id is there twice'],
  ['Subject;Farbe\nA;rot\n', 'Unknown columns: Farbe. '],
])('%j fails as a whole', async (file, message) => {
  const failed = await somebody().run('request', file);
  expect(failed).toMatchObject({ state: 'failed', message: expect.stringContaining(message) as string });
});

test('blank rows are passed over and counted', async () => {
  const { run, list } = somebody();
  const done = await run('request', '\n,,\nSubject,Status,Source\n\nOne,,\n , ,\n\nTwo,,\n,,\n\n');
  expect(done).toMatchObject({ blank: 5, line: 10, results: { created: 2, failures: 0 } });
  const ids = (await list('/v1/requests?fields=id')).map(({ id }) => Number(id));
  expect(ids[1]! - ids[0]!).toBe(1);
  expect(await run('request', `Subject\n${'\n'.repeat(2_000)}`)).toMatchObject({ state: 'done', blank: 2_000 });
});

describe('a dry run', () => {
  const file = (id: number) =>
    [
      'ID,Subject,Status,Source,Source ID,Internal note',
      `${id},One,,,,`,
      `${id},Changed,,,,`,
      `${id},One,,,,A note`,
      ',New,,X,2,',
      ',Second,,X,1,',
      ',Bad,nowhere,,,',
      '999999,Nothing,,,,',
      '',
    ].join('\n');

  async function stored(): Promise<Record<string, unknown[]>> {
    const all: Record<string, unknown[]> = {};
    for (const name of ['requests', 'notes', 'audit_lines', 'sequences'])
      all[name] = await graph.connection.collection(name).find().sort({ _id: 1 }).toArray();
    return all;
  }

  test.each(['true', 'Yes', '1'])('(%s) writes nothing and says everything', async (dryRun) => {
    const { run, post, finished, tokenIn, list, get } = somebody();
    await run('request', 'subject,source,sourceID\nOne,,\nSecond,X,1\n');
    const [one] = await list('/v1/requests?fields=id');
    const before = await stored();
    const sent = post('/v1/import').field('type', 'requests').field('dry_run', dryRun);
    const content = Buffer.from(file(Number(one?.['id'])));
    const done = await finished(tokenIn(await sent.attach('file', content, 'a.csv').expect(202)));
    expect(done).toMatchObject({
      dry_run: true,
      state: 'done',
      results: { created: 1, updated: 2, unchanged: 2, failures: 2 },
    });
    const log = (await get(done.logfile ?? '')).text.split('\n');
    expect(log.slice(1, 3)).toEqual([
      expect.stringMatching(/^7,"Status","Status is not one of /),
      '8,"ID","Id was not found"',
    ]);
    expect(await stored()).toEqual(before);
  });

  test('is none for false, and nothing for another word', async () => {
    const { post, list } = somebody();
    const send = (dryRun: string) =>
      post('/v1/import')
        .field('type', 'request')
        .field('dry_run', dryRun)
        .attach('file', Buffer.from('subject\nA\n'), 'a');
    const { status, body } = await send('perhaps');
    expect([status, body]).toMatchObject([422, { errors: [['dry_run', 'Dry run is not true or false']] }]);
    await send('false').expect(202);
    await waitUntil('the record', async () => (await list('/v1/requests')).length === 1);
  });

  test('needs the scopes of the import', async () => {
    const { post } = somebody('specialist', ['import:*', 'request:Read']);
    const sent = post('/v1/import').field('type', 'request').field('dry_run', 'true');
    await sent.attach('file', Buffer.from('subject\nA\n'), 'a').expect(403);
  });
});

test('headers of comparable services are those of the fields that they mean', async () => {
  const { run, list } = somebody();
  await run('workflow', 'subject\nMove\n');
  const [workflow] = await list('/v1/workflows?fields=id');
  const id = Number(workflow?.['id']);
  await run('request', `Subject,Change,Desired Completion\nS,${id},2026-03-18T19:04:06Z\n`);
  await run('task', 'Subject,Start At,Completion Target At\nS,2026-03-18T19:04:06Z,2026-03-19T19:04:06Z\n');
  expect(await list('/v1/requests?fields=workflow,desired_completion_at')).toMatchObject([
    { workflow: { id }, desired_completion_at: '2026-03-18T19:04:06Z' },
  ]);
  expect(await list('/v1/tasks?fields=start_at,target_at')).toMatchObject([
    { start_at: '2026-03-18T19:04:06Z', target_at: '2026-03-19T19:04:06Z' },
  ]);
});

test('no header stands for two columns of a type', () => {
  for (const type of recordTypes) {
    const find = columnFinder(type);
    for (const { name, header, field } of fileColumns(type))
      for (const spelled of [name, header, field?.name ?? name, ...(field?.headers ?? [])])
        expect(find(spelled)?.name).toBe(name);
  }
});
