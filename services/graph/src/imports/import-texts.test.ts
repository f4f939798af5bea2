import { gzipSync } from 'node:zlib';
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

const noResults = { created: 0, updated: 0, unchanged: 0, failures: 0 };

test('a file in UTF-16 is read as such to its end, whatever its lines', async () => {
  const { run, get, list } = somebody();
  const lines = [
    'subject,source,sourceID',
    'First,X,1',
    '"bad" x,X,2',
    'Dritte Zeile – 打印机,X,3',
    'x\u0000y,X,4',
    'a\uD83Db,X,5',
  ];
  for (const swap of [false, true]) {
    const file = Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`, 'utf16le');
    const done = await run('request', swap ? file.swap16() : file);
    expect(done).toMatchObject({ state: 'done', line: 6, results: { failures: 3 } });
    const [, ...failures] = (await get(done.logfile ?? '').expect(200)).text.trim().split('\n');
    expect(failures).toEqual([
      expect.stringMatching(/^3,"","Something stands/),
      '5,"subject","Subject has the control character U+0000 at position 1"',
      expect.stringMatching(/^6,"","Character 2 is not valid UTF-8/),
    ]);
  }
  const subjects = (await list('/v1/requests?fields=subject')).map(({ subject }) => subject);
  expect(subjects).toEqual(['First', 'Dritte Zeile – 打印机']);
});

test.each(['gzip', 'br', 'zstd'])(
  'a form that is compressed with %s is refused, and says how to send it',
  async (coding) => {
    const { post } = somebody();
    const { headers, body } = await post('/v1/import')
      .set('Content-Type', 'multipart/form-data; boundary=x')
      .set('Content-Encoding', coding)
      .send(gzipSync('--x--\r\n').toString('latin1'))
      .expect(415);
    expect(body).toEqual({ message: 'A form with a file must not be compressed' });
    expect(headers['accept-encoding']).toBe('identity');
  },
);

test('the log names columns as the file does, and says what a time lacks', async () => {
  const { run, get, list } = somebody();
  const times = [
    '2026-02-30T10:00',
    '2026-01-01',
    '2026-01-01T10:00:00+1',
    '2026-07-01 10:00',
    '2026-07-01T10:00:00+02:00',
  ];
  const rows = times.map((time) => `s,${time},`);
  const done = await run('request', ['subject,desired_completion_at,team_id', ...rows, 's,,99'].join('\n'));
  expect(done.results).toEqual({ ...noResults, created: 2, failures: 4 });
  expect((await get(done.logfile ?? '').expect(200)).text.trim().split('\n').slice(1)).toEqual([
    '2,"desired_completion_at","Desired completion is not a date"',
    '3,"desired_completion_at","Desired completion has no time of day, such as T19:04:06Z"',
    '4,"desired_completion_at","Desired completion is not a time such as 2026-03-18T19:04:06Z"',
    '7,"team_id","Team was not found"',
  ]);
  const stored = await list('/v1/requests?fields=desired_completion_at');
  expect(stored.map((one) => one['desired_completion_at'])).toEqual(['2026-07-01T10:00:00Z', '2026-07-01T08:00:00Z']);
});
