import { Router } from 'express';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { createConnection } from 'mongoose';
import type { Connection } from 'mongoose';
import request from 'supertest';
import { callerOf } from '../api/identity/authenticate';
import { createCallerVerifier } from '../api/identity/caller-token';
import type { Contract, Queue } from '../contracts/contract';
import { on } from '../messages/broker/broker';
import { createMemoryBroker } from '../messages/broker/memory-broker';
import { systemClock } from '../base/time/clock';
import { createLogger } from '../observing/logs/logger';
import { createPresence } from '../stores/presence/presence';
import { connectPatiently } from '../testing/connect-patiently';
import { startCallerKeys } from '../testing/caller-keys';
import type { CallerKeys } from '../testing/caller-keys';
import { z } from 'zod';
import { composeApp } from './compose-app';
import type { Module } from './module';

const logger = createLogger('test', 'silent');
let keys: CallerKeys;
let mongo: Awaited<ReturnType<typeof startEmbeddedMongo>>;
let connection: Connection;
beforeAll(async () => {
  keys = await startCallerKeys();
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('composed'));
});
afterAll(async () => {
  await connection.close();
  await mongo.close();
  await keys.close();
});

/** An app of `modules`, and the number of token verifications. */
function compose(...modules: Module[]) {
  const verifyCaller = createCallerVerifier(keys.jwksUri, 'graph', systemClock);
  const verified: string[] = [];
  const app = composeApp({
    now: systemClock,
    connection,
    modules,
    logger,
    verify(token) {
      verified.push(token);
      return verifyCaller(token);
    },
  });
  const get = (path: string) =>
    request(app.http).get(path).set('Authorization', `Bearer ${keys.token()}`).set('X-Service-Account', 'wdc');
  return { app, verified, get };
}

const says = (path: string, text: string): Router => Router().get(path, (_req, res) => void res.send(text));

test("modules can share a path, and the caller's token is verified once", async () => {
  const things = Router().get('/:id', (req, res) => void res.send(`thing of ${callerOf(req).accountId}`));
  const { verified, get } = compose(
    { routes: [{ path: '/v1/things', access: 'caller', router: things }] },
    { routes: [{ path: '/v1/things', access: 'caller', router: says('/:id/parts', 'parts') }] },
  );
  await get('/v1/things/1/parts').expect(200, 'parts');
  expect(verified).toHaveLength(1);
  await get('/v1/things/1').expect(200, 'thing of wdc');
  expect(verified).toHaveLength(2);
});

test('a guarded path needs a caller, a public one does not', async () => {
  const { app } = compose(
    { routes: [{ path: '/v1/things', access: 'caller', router: says('/', 'things') }] },
    { routes: [{ path: '/', access: 'public', router: says('/open', 'open') }] },
  );
  await request(app.http).get('/v1/things').expect(401);
  await request(app.http).get('/open').expect(200, 'open');
});

test('longer paths come first, and on one path the higher modules', async () => {
  const { get } = compose(
    { routes: [{ path: '/pages', access: 'public', router: says('/*any', 'page') }] },
    { routes: [{ path: '/pages/keys', access: 'public', router: says('/', 'keys') }] },
    { routes: [{ path: '/pages', access: 'public', router: says('/profile', 'profile') }] },
  );
  await get('/pages/keys').expect(200, 'keys');
  await get('/pages/profile').expect(200, 'profile');
  await get('/pages/other').expect(200, 'page');
});

test('an election during index creation does not fail the start', async () => {
  const interrupted = Object.assign(new Error('operation was interrupted'), { name: 'MongoServerError', code: 11_602 });
  let tries = 0;
  const ensureIndexes = (): Promise<void> => {
    tries += 1;
    return tries === 1 ? Promise.reject(interrupted) : Promise.resolve();
  };
  await compose({ stores: [{ ensureIndexes }] }).app.prepareStore();
  expect(tries).toBe(2);
});

test('the fields that modules add to one GraphQL type are merged', async () => {
  const one = { sdl: 'type Query { one: Int }', resolvers: { Query: { one: () => 1 } } };
  const two = { sdl: 'extend type Query { two: Int }', resolvers: { Query: { two: () => 2 } } };
  const { app } = compose(one, two);
  await app.start();
  const { body } = await request(app.http)
    .post('/graphql')
    .set('Authorization', `Bearer ${keys.token()}`)
    .set('X-Service-Account', 'wdc')
    .send({ query: '{ one two }' })
    .expect(200);
  await app.stop();
  expect(body).toEqual({ data: { one: 1, two: 2 } });
  expect(Object.keys(app.resolvers['Query'] ?? {})).toEqual(['one', 'two']);
});

test('starts indexes, then messages, then runners; stops in reverse order', async () => {
  const happened: string[] = [];
  const note = (what: string) => () => void happened.push(what);
  const moved: Contract<object> = { name: 'test.thing.moved.v1', schema: z.object({}) };
  const queue: Queue = { name: 'test.things', contracts: [moved] };
  const memory = createMemoryBroker({ logger, queues: [queue] });
  const handlers = [on(moved, () => Promise.resolve())];
  const module = (name: string): Module => ({
    stores: [{ ensureIndexes: () => Promise.resolve(note(`${name} index`)()) }],
    runners: [{ start: note(`${name} start`), stop: note(`${name} stop`) }],
  });
  const app = composeApp({
    now: systemClock,
    connection,
    modules: [
      { ...module('low'), sdl: 'type Query { one: Int }' },
      { ...module('high'), consumers: [{ queue, handlers }] },
    ],
    verify: createCallerVerifier(keys.jwksUri, 'graph', systemClock),
    logger,
    messages: {
      broker: {
        ...memory,
        async subscribe(...subscription) {
          note('subscribe')();
          await memory.subscribe(...subscription);
        },
      },
      relay: {
        nudge: note('nudge'),
        ensureIndexes: () => Promise.resolve(note('outbox index')()),
        start: note('relay start'),
        stop: () => Promise.resolve(note('relay stop')()),
      },
      presence: {
        ...createPresence({ connection: createConnection(), logger }),
        start: note('presence start'),
        stop: () => Promise.resolve(note('presence stop')()),
      },
    },
  });
  await app.start();
  await app.stop();
  await memory.close();
  expect(happened).toEqual([
    'low index',
    'high index',
    'outbox index',
    'presence start',
    'subscribe',
    'relay start',
    'low start',
    'high start',
    'high stop',
    'low stop',
    'relay stop',
    'presence stop',
  ]);
});

test('modules with message handlers are refused without a broker', () => {
  const queue: Queue = { name: 'test.things', contracts: [] };
  expect(() => compose({ sdl: 'type Query { one: Int }', consumers: [{ queue, handlers: [] }] })).toThrow('a broker');
});
