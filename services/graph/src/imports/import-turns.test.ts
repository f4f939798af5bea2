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
beforeAll(async () => {
  mongo = await startEmbeddedMongo();
  keys = await startCallerKeys();
  graph = await startGraph(mongo, keys);
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

test('accounts take turns: a short file does not wait for an earlier long one of another account', async () => {
  const somebody = createImporters(graph.app.http, keys);
  const [greedy, small] = [somebody(), somebody()];
  const rows = Array.from({ length: 10_000 }, (_, n) => `Row ${n}`).join('\n');
  const long = greedy.tokenIn(await greedy.send('request', `subject\n${rows}\n`).expect(202));
  expect(await small.run('request', 'subject\nOne\n')).toMatchObject({ state: 'done', line: 2 });
  const { body } = await greedy.get(`/v1/import/${long}`).expect(200);
  expect(body).toMatchObject({ state: 'processing' });
  expect(await greedy.finished(long)).toMatchObject({ state: 'done', results: { created: 10_000 } });
});
