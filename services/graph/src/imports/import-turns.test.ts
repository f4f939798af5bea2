import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
import { waitUntil } from '@itsm/shared/testing/wait-until';
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

test('after each batch of rows an import rests, and one that stops does not wait for the end of its rest', async () => {
  let pieces = 0;
  const endings: (() => void)[] = [];
  const importRests: Rests = {
    async after(piece) {
      const result = await piece();
      pieces += 1;
      if (!isEnded) await new Promise<void>((resolve) => endings.push(resolve));
      return result;
    },
    end() {
      isEnded = true;
      for (const end of endings) end();
    },
  };
  let isEnded = false;
  const resting = await startGraph(mongo, keys, 'resting', { importRests });
  const { send, tokenIn, get, finished } = createImporters(resting.app.http, keys)();
  const rows = Array.from({ length: 1_200 }, (_, n) => `Row ${n}`).join('\n');
  const token = tokenIn(await send('request', `subject\n${rows}\n`).expect(202));
  for (const line of [501, 1_001]) {
    await waitUntil('a rest', () => endings.length > 0);
    expect((await get(`/v1/import/${token}`).expect(200)).body).toMatchObject({ state: 'processing', line });
    endings.shift()?.();
  }
  await waitUntil('the rest after the last rows', () => endings.length > 0);
  expect(pieces).toBe(3);
  expect(await finished(token)).toMatchObject({ state: 'done', results: { created: 1_200 } });
  await resting.stop();
});
