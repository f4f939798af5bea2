import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import supertest from 'supertest';
import { startGraph } from './testing/start-graph';
import type { RunningGraph } from './testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
});

afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const query = JSON.stringify({ query: '{ requests(first: 1) { totalCount } }' });

const post = () => supertest(graph.app.http).post('/graphql').set('Content-Type', 'application/json');

test('the SDL for composition needs no token', async () => {
  const response = await supertest(graph.app.http).get('/graphql').expect(200);
  expect(response.type).toBe('text/plain');
  expect(response.text).toContain('type Request implements Node @key(fields: "id")');
  expect(response.text).toContain('type Account @key(fields: "id", resolvable: false)');
});

test('a call without a token is unauthorized', async () => {
  await post().set('X-Service-Account', 'wdc').send(query).expect(401, { message: 'Unauthorized' });
});

test('a token without a valid signature is unauthorized', async () => {
  await post().set('Authorization', 'Bearer a.b.c').set('X-Service-Account', 'wdc').send(query).expect(401);
});

test('a call must name an account of the caller', async () => {
  const token = `Bearer ${keys.token()}`;
  await post().set('Authorization', token).send(query).expect(400, { message: 'Missing X-Service-Account header' });
  await post().set('Authorization', token).set('X-Service-Account', 'acme').send(query).expect(403);
});

test.each([
  ['malformed JSON', 'application/json', '{"query":', 400],
  ['an array', 'application/json', '[{"query":"{__typename}"}]', 400],
  ['another content type', 'text/plain', query, 415],
  ['a body over the limit', 'application/json', JSON.stringify({ query: ' '.repeat(1_100_000) }), 413],
])('%s is refused', async (_what, type, body, status) => {
  const response = await supertest(graph.app.http)
    .post('/graphql')
    .set({ Authorization: `Bearer ${keys.token()}`, 'X-Service-Account': 'wdc', 'Content-Type': type })
    .send(body)
    .expect(status);
  expect(Object.keys(response.body as object)).toEqual(['message']);
});

test('an unknown path is not found', async () => {
  await supertest(graph.app.http).get('/nothing').expect(404, { message: 'Not Found' });
});
