import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { Connection } from 'mongoose';
import request from 'supertest';
import { mutationTypeDefs } from '../api/graphql/mutation-payload';
import { createCallerVerifier } from '../api/identity/caller-token';
import { createArraySource } from '../api/rest/array-source';
import { notFound } from '../base/errors/app-error';
import { toNodeId } from '../base/ids/node-id';
import { silentLogger } from '../observing/logs/logger';
import { composeApp } from '../running/compose-app';
import type { Module } from '../running/module';
import { startCallerKeys } from '../testing/caller-keys';
import type { CallerKeys } from '../testing/caller-keys';
import { connectPatiently } from '../testing/connect-patiently';
import { membersTable } from '../testing/declared-page';
import { createTestClock } from '../testing/test-clock';
import { testsOfDeclared } from './declared.contract';
import { declaredMutations, declaredReads } from './declared.resolvers';
import { declaredResource } from './declared.resource';
import { declaredRoutes } from './declared.routes';
import { declaredTypeDefs } from './declared.sdl';
import type { Edits } from './edits';
import { describe as describeType } from './describe';
import type { Declaration } from './language';
import { changedRecord, newRecord } from './read-input';
import type { RecordOf } from './record-of';

/** A type that no service has. */
const lampType = {
  name: 'lamp',
  graphqlName: 'Lamp',
  plural: 'lamps',
  label: 'Lamp',
  labelPlural: 'Lamps',
  description: 'Gives light.',
  writes: { create: 'Buys one.', update: '', delete: '' },
  nullIs: 'refused',
  fields: [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      maxLength: 80,
      required: true,
      mustBeGiven: true,
      filterable: true,
      sortable: true,
    },
    { name: 'isBright', label: 'Bright', kind: 'flag', default: true, filterable: true, help: 'Whether it dazzles.' },
    {
      name: 'colour',
      label: 'Colour',
      kind: 'choice',
      enumName: 'LampColour',
      choices: ['red', 'dark_blue'],
      words: { red: 'Ruby' },
      filterable: true,
      sortable: true,
    },
    { name: 'watts', label: 'Watts', kind: 'integer', min: 1, max: 100 },
    { name: 'madeIn', label: 'Made in', kind: 'text', maxLength: 80, written: 'on create' },
  ],
} as const satisfies Declaration;

interface Lamp extends RecordOf<typeof lampType> {
  readonly id: number;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const nodeIdDomain = 'service.example';
const baseUrl = 'https://service.example';
const { now } = createTestClock();

/** What its service would be: use cases over a store, here in memory, and both edges derived from the declaration. */
function createLamps(): Module {
  const lamps = new Map<number, Lamp>();
  const of = (accountId: string) => [...lamps.values()].filter((lamp) => lamp.accountId === accountId);
  const load = (accountId: string, id: number): Lamp => {
    const lamp = of(accountId).find((one) => one.id === id);
    if (!lamp) throw notFound();
    return lamp;
  };
  const keep = (lamp: Lamp): Promise<Lamp> => {
    lamps.set(lamp.id, lamp);
    return Promise.resolve(lamp);
  };
  const edits: Edits<typeof lampType, Lamp> = {
    list: ({ accountId }) => createArraySource(of(accountId)),
    find: ({ accountId }, id) => Promise.resolve(of(accountId).find((lamp) => lamp.id === id)),
    create: ({ accountId }, given) =>
      keep({
        ...newRecord(lampType, given),
        id: lamps.size + 1,
        accountId,
        createdAt: now(),
        updatedAt: now(),
      }),
    update: async ({ accountId }, id, given) => {
      const before = load(accountId, id);
      return keep({ ...before, ...changedRecord(lampType, before, given) });
    },
    remove: async ({ accountId }, id) => {
      const lamp = load(accountId, id);
      lamps.delete(id);
      return Promise.resolve(lamp);
    },
  };
  const view = { nodeIdOf: (name: string, id: number) => toNodeId(nodeIdDomain, name, id) };
  const resource = declaredResource<typeof lampType, Lamp, typeof view>(lampType, {});
  const { query, object } = declaredReads(lampType, edits, nodeIdDomain);
  return {
    sdl: mutationTypeDefs + declaredTypeDefs(lampType),
    types: [describeType(lampType)],
    routes: [
      {
        path: '/v1/lamps',
        access: 'caller',
        router: declaredRoutes(lampType, edits, { resource, createView: () => ({ view }), baseUrl, nodeIdDomain }),
      },
    ],
    resolvers: { Query: query, Mutation: declaredMutations(lampType, edits, nodeIdDomain), Lamp: object },
  };
}

let mongo: Awaited<ReturnType<typeof startEmbeddedMongo>>;
let connection: Connection;
let keys: CallerKeys;
let app: ReturnType<typeof composeApp>;
beforeAll(async () => {
  keys = await startCallerKeys();
  const verify = createCallerVerifier(keys.jwksUri, 'webhooks', now);
  mongo = await startEmbeddedMongo();
  connection = await connectPatiently(mongo.urlOf('lamps'));
  app = composeApp({ modules: [createLamps()], connection, verify, logger: silentLogger, now });
  await app.start();
});
afterAll(async () => {
  await app.stop();
  await connection.close();
  await mongo.close();
  await keys.close();
});

let accounts = 0;
function newClient() {
  const accountId = `account-${(accounts += 1)}`;
  const token = keys.token({ home: accountId, accounts: { [accountId]: ['account_administrator'] } });
  const headers = { authorization: `Bearer ${token}`, 'x-service-account': accountId };
  return {
    rest: (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) =>
      request(app.http)[method](path).set(headers).send(body),
    graphql: (query: string, variables: object) =>
      request(app.http).post('/graphql').set(headers).send({ query, variables }),
  };
}

let names = 0;
testsOfDeclared({ type: lampType, needed: () => ({ name: `Lamp ${(names += 1)}` }), hasAudit: false, newClient });

test('it describes itself, without a token', async () => {
  const { body } = await request(app.http).get('/v1/types').expect(200);
  expect(body).toMatchObject([
    {
      name: 'lamp',
      label: 'Lamp',
      member: 'lamp',
      rootField: 'lamps',
      title: 'name',
      orders: ['id', 'name', 'colour', 'createdAt', 'updatedAt'],
      writes: {
        create: ['account_administrator'],
        update: ['account_administrator'],
        delete: ['account_administrator'],
      },
      fields: [
        { name: 'name', mustBeGiven: true },
        { name: 'isBright', rest: 'is_bright', kind: 'flag', default: true, help: 'Whether it dazzles.' },
        {
          words: [
            { value: 'red', label: 'Ruby' },
            { value: 'dark_blue', label: 'Dark blue' },
          ],
        },
        { kind: 'integer', min: 1, max: 100, required: false },
        { rest: 'made_in', written: 'on_create' },
      ],
    },
  ]);
});

test('it has a table for the docs', () => {
  expect(membersTable(lampType)).toContain(
    '| `is_bright` | filter | true or false; default `true` | Whether it dazzles. |',
  );
});

test('what is created on creation alone cannot be changed, and a deleted one is gone', async () => {
  const client = newClient();
  const { body } = await client.rest('post', '/v1/lamps', { name: 'Desk', made_in: 'Oslo' });
  const { id } = body as { id: number };
  const refused = await client.rest('patch', `/v1/lamps/${id}`, { made_in: 'Rome' });
  expect([refused.status, refused.body]).toMatchObject([422, { errors: [['made_in', 'Made in cannot be changed']] }]);
  expect((await newClient().rest('get', `/v1/lamps/${id}`)).status).toBe(404);
  expect((await client.rest('delete', `/v1/lamps/${id}`)).status).toBe(204);
  expect((await client.rest('get', `/v1/lamps/${id}`)).status).toBe(404);
});

test('a declaration that names what it does not have is refused at the start', () => {
  const wrong = (more: object) => () => describeType({ ...lampType, fields: [{ ...lampType.fields[2], ...more }] });
  expect(wrong({})).not.toThrow();
  expect(wrong({ words: { green: 'Grass' } })).toThrow('green');
  expect(wrong({ group: 'nowhere' })).toThrow('nowhere');
  expect(wrong({ when: { field: 'size', is: 'big' } })).toThrow('size');
});
