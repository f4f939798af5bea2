import { randomUUID } from 'node:crypto';
import { createConnection } from 'mongoose';
import request from 'supertest';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Contract } from '@itsm/shared/contracts/contract';
import { createMemoryBroker } from '@itsm/shared/messages/broker/memory-broker';
import {
  deliveryRequested,
  sealedRequest,
  skippedRedelivered,
  webhookStopped,
} from '@itsm/shared/contracts/deliveries';
import type {
  DeliveryRequested,
  SealedRequest,
  SkippedRedelivered,
  WebhookStopped,
} from '@itsm/shared/contracts/deliveries';
import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import { queues } from '@itsm/shared/contracts/topology';
import { policySaved, signingKeyContext } from '@itsm/shared/contracts/webhook-policies';
import type { PolicySaved } from '@itsm/shared/contracts/webhook-policies';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { App } from '@itsm/shared/running/app';
import { createApp } from '../app';
import { loadConfig } from '../config';

export const baseUrl = 'https://api.example';
/** Without the gateway, accounts are paths; the gateway maps hosts to them. */
export const accountUrl = (account: string): string => `${baseUrl}/accounts/${account}`;
export const day = 24 * 60 * 60 * 1_000;
const begin = Date.parse('2026-03-18T19:04:06Z');
export const deliveryKey = Buffer.alloc(32, 7);

/** Short enough for tests that wait for due work, long enough for several replicas on one store. */
const polls = { noticePollMilliseconds: 100, careMilliseconds: 200, turnMilliseconds: 20 };

/** A requested delivery with its sealed part opened. */
export interface Requested extends DeliveryRequested {
  readonly uri: string;
  readonly link: string;
  readonly text: string;
  readonly body: Record<string, unknown> & { payload: Record<string, unknown> };
}

/** Shared by the tests of one file: the store and the signing key of callers. */
export async function startEngines() {
  // The store's clock is frozen at the start of the tests' clock, so no TTL index deletes anything.
  const mongo = await startEmbeddedMongo({ now: () => new Date(begin) });
  const keys = await startCallerKeys();
  return { mongo, keys, close: () => Promise.all([mongo.close(), keys.close()]) };
}

export type Engines = Awaited<ReturnType<typeof startEngines>>;

/** Starts the service on its own database, or a given one, with a clock that the test moves. Collects the deliveries that it requests. */
export async function startService(
  { mongo, keys }: Engines,
  settings: Record<string, string> = {},
  database = `webhooks-${randomUUID().slice(0, 8)}`,
  kinds = recordKinds as RecordKinds,
) {
  const options = { autoIndex: false, autoCreate: false, monitorCommands: true };
  const connection = await createConnection(mongo.urlOf(database), options).asPromise();
  const lines: string[] = [];
  const logger = createLogger('webhooks', 'debug', (line) => lines.push(line));
  const broker = createMemoryBroker({ logger });
  let time = begin;
  const now = () => new Date(time);
  const config = loadConfig({
    PORT: '0',
    MONGODB_URL: 'mongodb://unused',
    AMQP_URL: 'amqp://unused',
    AUTH_JWKS_URL: keys.jwksUri,
    BASE_URL: baseUrl,
    ACCOUNT_URL: accountUrl('{account}'),
    DELIVERY_KEYS: deliveryKey.toString('base64'),
    ...settings,
  });
  const create = () => createApp({ config, connection, broker, logger, now, kinds, ...polls });
  const app = create();
  const sealer = createSealer(config.deliveryKeys);
  const messages: unknown[] = [];
  const replicas: App[] = [];
  const deliveries: Requested[] = [];
  const stops: WebhookStopped[] = [];
  const redeliveries: SkippedRedelivered[] = [];
  const policies: PolicySaved[] = [];
  const seen = new Set<string>();
  /** Delivery is at least once; drops repeats by message id. */
  const once = <T>(contract: Contract<T>, take: (message: T) => void) =>
    on(contract, (message, { id }) => {
      messages.push(message);
      if (!seen.has(id)) take(message);
      seen.add(id);
      return Promise.resolve();
    });
  await broker.subscribe(queues.deliveries, [
    once(deliveryRequested, (message) => {
      deliveries.push(openRequest(message, sealer.open(message.sealed, message.deliveryId)));
    }),
    once(skippedRedelivered, (message) => {
      redeliveries.push(message);
    }),
    once(webhookStopped, (message) => {
      stops.push(message);
    }),
  ]);
  // The in-process broker confirms a message only when a queue is bound, so one is.
  await broker.subscribe(queues.recordDirectory, [
    on(accountSaved, () => Promise.resolve()),
    on(personSaved, () => Promise.resolve()),
  ]);
  await broker.subscribe(queues.signingPolicies, [
    once(policySaved, (message) => {
      policies.push(message);
    }),
  ]);
  await app.start();

  const call = (account: string, claims: Partial<CallerClaims>) => {
    const send = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string) =>
      atPublicAddress(request(app.http), baseUrl)
        [method](path)
        .set('Authorization', `Bearer ${keys.token(claims)}`)
        .set('X-Service-Account', account);
    return {
      get: (path: string) => send('get', path),
      post: (path: string, body?: object) => send('post', path).send(body),
      patch: (path: string, body: object) => send('patch', path).send(body),
      put: (path: string, body: object) => send('put', path).send(body),
      delete: (path: string) => send('delete', path),
      graphql: (query: string, variables: object = {}) => send('post', '/graphql').send({ query, variables }),
    };
  };

  const another = async () => {
    const replica = create();
    await replica.start();
    replicas.push(replica);
  };

  return {
    app,
    /** Starts a replica on the same database and broker. */
    another,
    broker,
    connection,
    database,
    deliveries,
    stops,
    redeliveries,
    messages,
    policies,
    /** The opened private part of a policy's key. */
    opened: ({ kid, sealed }: PolicySaved['keys'][number]) => sealer.open(sealed, signingKeyContext(kid)),
    lines,
    now,
    pass: (milliseconds: number) => void (time += milliseconds),
    /** An account administrator of `account`; `claims` make it another caller. */
    as: (account: string, claims: Partial<CallerClaims> = {}) =>
      call(account, { home: account, accounts: { [account]: ['account_administrator'] }, ...claims }),
    /** Waits for `count` requested deliveries of the webhook and returns them. */
    deliveriesOf: (webhookId: number, count = 1) =>
      waitUntil(`${count} deliveries of webhook ${webhookId}`, () => {
        const found = deliveries.filter((delivery) => delivery.webhookId === webhookId);
        return found.length >= count ? found : undefined;
      }),
    /** The stops of all pending deliveries. */
    stopsOf: (webhookId: number, count = 1) =>
      waitUntil(`${count} stops of webhook ${webhookId}`, () => {
        const found = stops.filter((stop) => stop.webhookId === webhookId && stop.event === undefined);
        return found.length >= count ? found : undefined;
      }),
    /** The stops of webhook.verify only. */
    verifyStopsOf: (webhookId: number, count = 1) =>
      waitUntil(`${count} stops of webhook.verify of webhook ${webhookId}`, () => {
        const found = stops.filter((stop) => stop.webhookId === webhookId && stop.event === 'webhook.verify');
        return found.length >= count ? found : undefined;
      }),
    async close() {
      for (const one of [app, ...replicas]) await one.stop();
      await broker.close();
      await connection.close();
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;

function openRequest(message: DeliveryRequested, opened: string): Requested {
  const { uri, body, link }: SealedRequest = sealedRequest.parse(JSON.parse(opened));
  return { ...message, uri, link: link ?? '', text: body, body: JSON.parse(body) as Requested['body'] };
}
