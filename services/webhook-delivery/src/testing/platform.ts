import { waitUntil } from '@itsm/shared/testing/wait-until';
import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { createMemoryBroker } from '@itsm/shared/messages/broker/memory-broker';
import {
  attemptFinished,
  attemptsFinished,
  deliveryRequested,
  webhookStopped,
} from '@itsm/shared/contracts/deliveries';
import type {
  AttemptFinished,
  DeliveryRequested,
  SealedTarget,
  WebhookStopped,
} from '@itsm/shared/contracts/deliveries';
import { queues } from '@itsm/shared/contracts/topology';
import { createLogger, silentLogger } from '@itsm/shared/observing/logs/logger';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { createOutbound } from '@itsm/shared/outbound/calls/outbound';
import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { startTcpProxy } from '@itsm/shared/messages/broker/testing/tcp-proxy';
import type { TcpProxy } from '@itsm/shared/messages/broker/testing/tcp-proxy';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { createConnection } from 'mongoose';
import type { Connection } from 'mongoose';
import { createApp } from '../app';
import type { DeliveryApp } from '../app';
import type { Config } from '../config';
import type { DeliveryDocument } from '../deliveries/delivery.document';
import { startReceiver } from './receiver';
import type { Receiver } from './receiver';

export const baseUrl = 'https://api.service.example';
export const deliveryKey = randomBytes(32);

interface LineFilter {
  readonly line?: { readonly $gt?: string };
}

export interface StartOptions {
  /** Only prepares the store (indexes); the test starts the app. */
  readonly onlyPrepare?: boolean;
  readonly outbound?: Outbound;
  /** How long a call of the store waits for a connection; short where the test cuts them. */
  readonly storeMilliseconds?: number;
  readonly random?: () => number;
  /** Between two looks for due deliveries; default 20. */
  readonly sweepMilliseconds?: number;
  /** How long a stop waits for running attempts. */
  readonly graceMilliseconds?: number;
  /** The key ring of the service; default `deliveryKey`, with which requests are sealed. */
  readonly deliveryKeys?: Config['deliveryKeys'];
  readonly deliveryHeaderAliases?: Config['deliveryHeaderAliases'];
}

/** A limit of time that no test is about. */
export const long = 240_000;

/** An outbound client with a short timeout, for receivers that hang. */
export const impatient = () => ({ outbound: createOutbound({ allowInsecure: true, timeoutMilliseconds: 400 }) });

/** One service on its own database, with a clock that only moves by `pass`. */
export interface Service {
  readonly app: DeliveryApp;
  /** A connection to the service's database that bypasses the service. */
  readonly observer: Connection;
  readonly broker: Broker;
  /** Published results of attempts, in order of arrival. */
  readonly results: readonly AttemptFinished[];
  /** The number of messages that carried them. */
  reports(): number;
  readonly log: readonly string[];
  /** Resolves when the request is acknowledged. */
  request(uri: string, about?: Partial<DeliveryRequested>, text?: string): Promise<DeliveryRequested>;
  publish(message: DeliveryRequested): Promise<void>;
  stopWebhook(stopped: Omit<WebhookStopped, 'at'>): Promise<void>;
  stored(id: string): Promise<DeliveryDocument>;
  /** Unsets a member of a stored delivery. */
  forget(id: string, member: keyof DeliveryDocument): Promise<void>;
  /** Every document of the service's database. */
  dump(): Promise<unknown[]>;
  /** Waits until the delivery is in a final state and returns it. */
  settled(id: string): Promise<DeliveryDocument>;
  /** The number of write commands so far. */
  writes(): number;
  /** The number of looks for dead processes so far. */
  looks(): number;
  /** The number of sweeps for due deliveries begun so far. */
  sweeps(): number;
  pass(milliseconds: number): void;
  now(): Date;
  /** Cuts the service off from the store, as the death of its process would. */
  crash(): Promise<void>;
  /** Stalls traffic between service and store until `thaw`. */
  freeze(): void;
  /** Closes its connections to the store; new ones stall until `thaw`. */
  cut(): void;
  thaw(): void;
  /** Starts a replica on the same database and clock. */
  another(options?: StartOptions): Promise<Service>;
}

export interface Platform {
  readonly keys: CallerKeys;
  /** The URL of a new database. */
  databaseUrl(): string;
  start(options?: StartOptions): Promise<Service>;
  receiver(answer: (res: ServerResponse, call: number) => void): Promise<Receiver>;
  /** Stops everything that one test started. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export const body = '{"webhook_id":7,"event":"request.create"}';
export const link = '<https://wdc.example/requests/1>; rel="canonical"';

export async function startPlatform(): Promise<Platform> {
  const mongo: EmbeddedMongo = await startEmbeddedMongo();
  const keys = await startCallerKeys();
  const closing: (() => Promise<unknown>)[] = [];

  async function open(url: string, clock: { now: number }, options: StartOptions): Promise<Service> {
    const log: string[] = [];
    const logger = createLogger('webhook-delivery', 'info', (line) => log.push(line));
    const observer = await connectPatiently(url);
    const wire = await startTcpProxy('127.0.0.1', await portOfStore(observer));
    const connection = await connectThrough(wire, observer, options.storeMilliseconds ?? long);
    let writes = 0;
    let looks = 0;
    let sweeps = 0;
    connection.getClient().on('commandStarted', ({ commandName, command }) => {
      if (command['find'] === 'processes') looks += 1;
      // A query from the first line on is the beginning of a sweep.
      if (command['find'] === 'deliveries' && (command['filter'] as LineFilter).line?.$gt === '') sweeps += 1;
      // findAndModify is not counted: polling an empty outbox with it writes nothing.
      if (['insert', 'update', 'delete'].includes(commandName)) writes += 1;
    });
    const broker = createMemoryBroker({ logger: silentLogger });
    const results: AttemptFinished[] = [];
    let reports = 0;
    const hear = (...heard: readonly AttemptFinished[]): Promise<void> => {
      reports += 1;
      results.push(...heard);
      return Promise.resolve();
    };
    await broker.subscribe(queues.attemptResults, [on(attemptFinished, (result) => hear(result))]);
    await broker.subscribe(queues.attemptBatches, [on(attemptsFinished, ({ attempts }) => hear(...attempts))]);
    const now = () => new Date(clock.now);
    const app = createApp({
      config: {
        authJwksUrl: keys.jwksUri,
        baseUrl,
        nodeIdDomain: 'service.example',
        deliveryKeys: options.deliveryKeys ?? [deliveryKey],
        allowInsecureReceivers: true,
        deliveryHeaderAliases: options.deliveryHeaderAliases ?? [],
      },
      connection,
      broker,
      logger,
      now,
      outbound: options.outbound ?? createOutbound({ allowInsecure: true, timeoutMilliseconds: long }),
      random: options.random ?? (() => 0.5),
      sweepMilliseconds: options.sweepMilliseconds ?? 20,
      ...(options.graceMilliseconds !== undefined && { graceMilliseconds: options.graceMilliseconds }),
      elapsed: () => clock.now,
    });
    await (options.onlyPrepare ? app.prepareStore() : app.start());
    closing.push(async () => {
      await app.stop();
      await broker.close();
      await Promise.all([connection.close(), observer.close()]);
      await wire.close();
    });

    const stored = async (id: string): Promise<DeliveryDocument> => {
      const found = await observer.collection<DeliveryDocument>('deliveries').findOne({ _id: id });
      if (!found) throw new Error(`There is no delivery ${id}`);
      return found;
    };
    const publish = (message: DeliveryRequested) => broker.publish(deliveryRequested, message, message.deliveryId);
    return {
      app,
      observer,
      broker,
      results,
      reports: () => reports,
      log,
      now,
      publish,
      async request(uri, about = {}, text = body) {
        const message = requestOf(uri, now(), about, text);
        await publish(message);
        return message;
      },
      stopWebhook: (stopped) => broker.publish(webhookStopped, { ...stopped, at: now().toISOString() }, randomUUID()),
      stored,
      async forget(id, member) {
        await observer.collection<DeliveryDocument>('deliveries').updateOne({ _id: id }, { $unset: { [member]: '' } });
      },
      async dump() {
        const names = (await observer.listCollections()).map(({ name }) => name);
        return (await Promise.all(names.map((name) => observer.collection(name).find().toArray()))).flat();
      },
      writes: () => writes,
      looks: () => looks,
      sweeps: () => sweeps,
      settled: (id) =>
        waitUntil('the end of the delivery', async () => {
          const found = await stored(id);
          return found.state !== 'pending' && !found.leased ? found : undefined;
        }),
      pass: (milliseconds) => void (clock.now += milliseconds),
      crash: () => connection.close(true),
      freeze: () => wire.freeze(),
      thaw: () => wire.thaw(),
      cut() {
        wire.freeze();
        wire.cut();
      },
      another: (others = {}) => open(url, clock, others),
    };
  }

  const databaseUrl = () => mongo.urlOf(`d${randomBytes(6).toString('hex')}`);
  return {
    keys,
    databaseUrl,
    start: (options = {}) => open(databaseUrl(), { now: Date.now() }, options),
    async receiver(answer) {
      const receiver = await startReceiver(answer);
      closing.push(() => receiver.close());
      return receiver;
    },
    async clear() {
      // Receivers first: a hanging attempt would delay the stop.
      await Promise.all(closing.splice(0).map((close) => close()));
    },
    async close() {
      await keys.close();
      await mongo.close();
    },
  };
}

/** The port of the store; on a replica set, of the primary. */
async function portOfStore({ db }: Connection): Promise<number> {
  const { primary } = (await db?.command({ hello: 1 })) as { primary?: string };
  return Number((primary ?? db?.client.options.hosts[0]?.toString())?.split(':')[1]);
}

/**
 * The service's connection, through the proxy that can be cut, with command monitoring. `directConnection` keeps the
 * driver from bypassing the proxy.
 */
const connectThrough = (wire: TcpProxy, { name }: Connection, storeMilliseconds: number): Promise<Connection> =>
  createConnection(`mongodb://127.0.0.1:${wire.port}/${name}`, {
    directConnection: true,
    bufferCommands: false,
    monitorCommands: true,
    serverSelectionTimeoutMS: storeMilliseconds,
    connectTimeoutMS: storeMilliseconds,
    heartbeatFrequencyMS: 500,
  }).asPromise();

/** Seals the target of a redelivery request. */
export const sealTarget = (target: SealedTarget, redeliveryId: string): string =>
  createSealer([deliveryKey]).seal(JSON.stringify(target), redeliveryId);

export function requestOf(
  uri: string,
  now: Date,
  about: Partial<DeliveryRequested> = {},
  text = body,
): DeliveryRequested {
  const deliveryId = about.deliveryId ?? randomUUID();
  return {
    deliveryId,
    eventId: randomUUID(),
    accountId: 'wdc',
    webhookId: 7,
    event: 'request.create',
    test: false,
    at: now.toISOString(),
    sealed: createSealer([deliveryKey]).seal(JSON.stringify({ uri, body: text, link }), deliveryId),
    ...about,
  };
}

/** Waits for a complete sweep that begins after this call; everything due is claimed then. */
export async function swept(service: Service): Promise<void> {
  const before = service.sweeps();
  await waitUntil('the sweep after the next one to begin', () => service.sweeps() >= before + 2);
}

/** The result of the n-th attempt of a delivery, once it has been published. */
export const resultOf = ({ results }: Service, attempt: number) =>
  waitUntil(`result ${attempt}`, () => results.find((result) => result.attempt === attempt));

/** A receiver that answers with this status. */
export const answer = (status: number) => (res: { writeHead(status: number): { end(): unknown } }) =>
  void res.writeHead(status).end();
