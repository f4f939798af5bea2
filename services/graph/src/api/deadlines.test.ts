import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { remainingTimeHeader } from '@itsm/shared/api/http/departure';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import supertest from 'supertest';
import { startGraph } from '../testing/start-graph';
import type { RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  for (const sourceID of ['1', '2'])
    await graph.app.seed.ensureRequest('wdc', { source: 's', sourceID, subject: 'Printer', requestedById: 2 });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

/** The `maxTimeMS` of each read of requests while the call was answered. */
async function timesDuring(ask: (http: ReturnType<typeof supertest>) => supertest.Test): Promise<unknown[]> {
  const times: unknown[] = [];
  const take = ({ command }: { command: Readonly<Record<string, unknown>> }): void => {
    const collection = command['find'] ?? command['aggregate'] ?? command['count'];
    // The process itself looks for records that are not counted yet, and has time for it.
    const isOwn = JSON.stringify(command['filter'])?.includes('uncounted') && command['maxTimeMS'] === undefined;
    if (collection === 'requests' && !isOwn) times.push(command['maxTimeMS']);
  };
  const client = graph.connection.getClient().on('commandStarted', take);
  const token = keys.token({ sub: '2', accounts: { wdc: ['specialist'] } });
  await ask(supertest(graph.app.http))
    .set({ Authorization: `Bearer ${token}`, 'X-Service-Account': 'wdc', [remainingTimeHeader]: '60000' })
    .expect(200);
  client.off('commandStarted', take);
  return times;
}

const query = `{
  requests(first: 1, filter: { subject: { values: ["x"], negate: true } }) { totalCount nodes { subject } }
  people: requests(first: 1, filter: { query: "printer" }) { totalCount }
}`;

test.each([
  ['GraphQL', (http: ReturnType<typeof supertest>) => http.post('/graphql').send({ query })],
  ['REST', (http: ReturnType<typeof supertest>) => http.get('/v1/requests?per_page=1&subject=!x')],
])('%s: a read gets no more time than the gateway still waits', async (_what, ask) => {
  const times = await timesDuring(ask);
  expect(times.length).toBeGreaterThan(0);
  for (const time of times) {
    expect(time).toBeGreaterThan(0);
    expect(time).toBeLessThanOrEqual(60_000);
  }
});
