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
/** Ends the rest that an import takes after some rows. */
const endings: (() => void)[] = [];
let isEnded = false;
const importRests: Rests = {
  async after(piece) {
    const result = await piece();
    if (!isEnded) await new Promise<void>((resolve) => endings.push(resolve));
    return result;
  },
  end() {
    isEnded = true;
    for (const end of endings) end();
  },
};
beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys, 'ends', { importRests });
  somebody = createImporters(graph.app.http, keys);
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

let somebody: ReturnType<typeof createImporters>;

const long = `subject\n${Array.from({ length: 1_200 }, (_none, n) => `Row ${n}`).join('\n')}\n`;

async function endRest(): Promise<void> {
  await waitUntil('a rest', () => endings.length > 0);
  endings.shift()?.();
}

const chunks = () => graph.connection.collection('import_chunks').countDocuments();

test('an import that is canceled while it is worked on ends after the present rows, which stay', async () => {
  const { send, tokenIn, get, post, finished, list } = somebody();
  const token = tokenIn(await send('request', long).expect(202));
  await waitUntil('a rest', () => endings.length > 0);
  const { body } = await post(`/v1/import/${token}/cancel`).expect(200);
  expect(body).toMatchObject({ state: 'processing', line: 501 });
  await endRest();
  const canceled = await waitUntil('the end', async () => {
    const { body: now } = await get(`/v1/import/${token}`).expect(200);
    return (now as { state: string }).state === 'canceled' ? (now as object) : undefined;
  });
  expect(canceled).toMatchObject({ line: 1_001, results: { created: 1_000 }, message: null });
  expect(await list('/v1/requests?fields=id&per_page=100')).toHaveLength(100);
  await waitUntil('the file to go', async () => (await chunks()) === 0);
  await post(`/v1/import/${token}/cancel`).expect(200);
  await endRest();
  const next = tokenIn(await send('request', 'subject\nOne\n').expect(202));
  await endRest();
  expect(await finished(next)).toMatchObject({ state: 'done' });
});

test('one that waits ends at once, and nothing of it is written', async () => {
  const { send, tokenIn, post, list, get } = somebody();
  const first = tokenIn(await send('request', long).expect(202));
  await waitUntil('a rest', () => endings.length > 0);
  const second = tokenIn(await send('problem', 'subject\nOne\n').expect(202));
  const { body } = await post(`/v1/import/${second}/cancel`).expect(200);
  expect(body).toMatchObject({ token: second, state: 'canceled', line: 0 });
  await post(`/v1/import/${first}/cancel`).expect(200);
  await endRest();
  await endRest();
  expect(await list('/v1/problems')).toEqual([]);
  const states = (await get('/v1/import').expect(200)).body as { token: string; state: string }[];
  expect(states.map(({ token, state }) => [token, state])).toEqual(
    expect.arrayContaining([
      [first, 'canceled'],
      [second, 'canceled'],
    ]),
  );
});

test('one that has ended cannot be canceled, and neither can one of another account', async () => {
  const { send, tokenIn, post, finished } = somebody();
  const token = tokenIn(await send('request', 'subject\nOne\n').expect(202));
  await endRest();
  await finished(token);
  await post(`/v1/import/${token}/cancel`).expect(409, { message: 'The import has ended' });
  await somebody().post(`/v1/import/${token}/cancel`).expect(404);
  await post('/v1/import/nothing/cancel').expect(404);
});

test('the list has the imports of the account, the last one first', async () => {
  const { send, tokenIn, get, finished } = somebody();
  const tokens: string[] = [];
  for (const subject of ['One', 'Two']) {
    tokens.unshift(tokenIn(await send('request', `subject\n${subject}\n`).expect(202)));
    await endRest();
    await finished(tokens[0] ?? '');
    graph.clock.pass(1_000);
  }
  const { body } = await get('/v1/import').expect(200);
  expect((body as { token: string }[]).map(({ token }) => token)).toEqual(tokens);
  expect((body as object[])[0]).toEqual((await get(`/v1/import/${tokens[0]}`).expect(200)).body);
  await get('/v1/import?colour=red').expect(400);
  expect((await somebody().get('/v1/import').expect(200)).body).toEqual([]);
});

test.each([
  ['end_user', ['*:*']],
  ['specialist', ['request:*']],
] as const)('a caller as %s with %j neither lists nor cancels', async (role, actions) => {
  const owner = somebody();
  const token = owner.tokenIn(await owner.send('request', 'subject\nOne\n').expect(202));
  await endRest();
  const scopes = [{ effect: 'allow' as const, actions: [...actions] }];
  const other = graph.as(role, { scopes }, owner.account);
  await other.get('/v1/import').expect(403);
  await other.rest('post', `/v1/import/${token}/cancel`).expect(403);
});
