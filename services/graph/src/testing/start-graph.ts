import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
import type { StartTimer } from '@itsm/shared/base/time/clock';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { createMemoryBroker } from '@itsm/shared/messages/broker/memory-broker';
import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import type { AccountSaved, PersonSaved, Role } from '@itsm/shared/contracts/directory';
import { peopleRowsImported, peopleRowsRead } from '@itsm/shared/contracts/imports';
import type { PeopleRowsImported, PeopleRowsRead } from '@itsm/shared/contracts/imports';
import { recordChanged } from '@itsm/shared/contracts/records';
import { extensionActivated } from '@itsm/shared/contracts/ui-extensions';
import type { ExtensionActivated } from '@itsm/shared/contracts/ui-extensions';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { queues } from '@itsm/shared/contracts/topology';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import type { TestClock } from '@itsm/shared/testing/test-clock';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Connection } from 'mongoose';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import supertest from 'supertest';
import type { AttachmentSettings } from '../attachments/module';
import { createApp } from '../app';
import type { GraphApp } from '../app';
import type { MailSettings } from '../mails/module';
import { recordTypes } from '../record-types/all';
import type { RecordType } from '../record-types/record-type';
import { startLargeQueries } from '../start-large-queries';

export const nodeIdDomain = 'test.example';
export const baseUrl = 'https://api.test.example';
export const nodeId = (type: string, id: number | string): string => toNodeId(nodeIdDomain, type, id);

export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

export interface Client {
  /** The answer's body, whatever its status. */
  graphql(query: string, variables?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The data at `path` of an answer without errors. */
  ask<T>(path: string, query: string, variables?: object): Promise<T>;
  /** A REST call. */
  get(path: string): supertest.Test;
  /** A REST call of any method; an object is sent as JSON. */
  rest(method: Method, path: string, body?: object | string): supertest.Test;
}

interface Line {
  cut: boolean;
  refused: number;
}

/** The service in a database of its own, with the events that it published. */
export interface RunningGraph {
  readonly app: GraphApp;
  readonly connection: Connection;
  readonly events: RecordChanged[];
  /** Rows of people that were sent to the service that has them. */
  readonly peopleRows: PeopleRowsRead[];
  /** To the broker; `refused` counts what could not be published while it was cut. */
  readonly line: Line;
  /** It stands still, so that no lease expires and no retry is due however slow the machine is. */
  readonly clock: TestClock;
  as(role: Role, claims?: Partial<CallerClaims>, account?: string): Client;
  /** What became of such rows. */
  answerRows(answer: PeopleRowsImported): Promise<void>;
  publishPerson(person: Partial<PersonSaved> & { readonly id: number }): Promise<void>;
  publishAccount(account: Partial<AccountSaved> & { readonly id: string }): Promise<void>;
  publishForm(form: Partial<ExtensionActivated> & { readonly id: number }): Promise<void>;
  /** Resolves when everything that happened was sent, and everybody was notified. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface Options {
  readonly hasThread?: boolean;
  readonly types?: readonly RecordType[];
  readonly importRests?: Rests;
  readonly exportTimer?: StartTimer;
  readonly attachments?: AttachmentSettings;
  readonly mails?: MailSettings;
  /** The connection as the service has it. */
  readonly around?: (connection: Connection) => Connection;
}

export async function startGraph(
  mongo: EmbeddedMongo,
  keys: CallerKeys,
  database = `graph_${randomUUID().slice(0, 8)}`,
  { hasThread = false, types, importRests, exportTimer, attachments, mails, around }: Options = {},
): Promise<RunningGraph> {
  const connection = await connectPatiently(mongo.urlOf(database), { monitorCommands: true });
  const line: Line = { cut: false, refused: 0 };
  const clock = createTestClock();
  const { broker, events, peopleRows } = await listeningBroker(line);
  const config = {
    authJwksUrl: keys.jwksUri,
    baseUrl,
    nodeIdDomain,
    importMaxBytes: 20_000_000,
    ...attachments,
    ...mails,
  };
  const largeQueries = hasThread
    ? startLargeQueries({ mongodbUrl: mongo.urlOf(database), config }, silentLogger)
    : undefined;
  const dependencies = {
    config,
    connection: around?.(connection) ?? connection,
    broker,
    logger: silentLogger,
    now: clock.now,
  };
  const app = createApp({
    ...dependencies,
    ...(largeQueries && { largeQueries }),
    ...(types && { types }),
    ...(importRests && { importRests }),
    ...(exportTimer && { exportTimer }),
  });
  await app.start();
  // One server for all calls, since supertest would open one per call.
  const server = createServer(app.http).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    app,
    connection,
    events,
    peopleRows,
    line,
    clock,
    as: (role, claims = {}, account = 'wdc') =>
      clientOf(server, keys.token({ accounts: { [account]: [role] }, ...claims }), account),
    answerRows: (answer) => broker.publish(peopleRowsImported, answer, randomUUID()),
    publishPerson: (person) => broker.publish(personSaved, { ...somebody, ...person }, randomUUID()),
    publishAccount: (account) => broker.publish(accountSaved, { ...anAccount, ...account }, randomUUID()),
    publishForm: (form) => broker.publish(extensionActivated, { ...aForm, ...form }, randomUUID()),
    async settled() {
      for (const { plural } of types ?? recordTypes)
        await waitUntil(
          `the outboxes of ${plural} to be empty`,
          async () => (await connection.collection(plural).findOne({ outboxAt: { $exists: true } })) === null,
        );
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      largeQueries?.close();
      await app.stop();
      await broker.close();
      await connection.close();
    },
  };
}

const somebody: Omit<PersonSaved, 'id'> = {
  accountId: 'wdc',
  name: 'Somebody',
  primaryEmail: 'somebody@wdc.example',
  sourceID: null,
  roles: {},
  disabled: false,
  version: 1,
};

const anAccount: Omit<AccountSaved, 'id'> = {
  name: 'Widget Data Center',
  customUrl: null,
  directoryAccountId: null,
  disabled: false,
  version: 1,
};

const aField = { type: 'text', label: 'Field', required: false } as const;

/** A form with a field of several kinds, a condition and ids that are hostile. */
const aForm: Omit<ExtensionActivated, 'id'> = {
  accountId: 'wdc',
  name: 'Form',
  disabled: false,
  fields: [
    { id: 'floor', type: 'number', label: 'Floor', required: false },
    { id: 'kind', type: 'select', label: 'Kind', required: false, choices: ['a', 'b'] },
    { id: 'why', type: 'textarea', label: 'Why', required: true, visibleWhen: { field: 'kind', equals: 'b' } },
    { id: 'agreed', type: 'checkbox', label: 'Agreed', required: false },
    ...['a.b', '__proto__', '$where'].map((id) => ({ ...aField, id })),
  ],
  version: 1,
};

interface Listening {
  readonly broker: Broker;
  readonly events: RecordChanged[];
  readonly peopleRows: PeopleRowsRead[];
}

/** A broker that collects record events; while `cut` it refuses to publish. */
async function listeningBroker(line: Line): Promise<Listening> {
  const memory = createMemoryBroker({ logger: silentLogger });
  const events: RecordChanged[] = [];
  const keep = (event: RecordChanged): Promise<void> => {
    events.push(event);
    return Promise.resolve();
  };
  await memory.subscribe(queues.fanOut, [on(recordChanged, keep)]);
  const peopleRows: PeopleRowsRead[] = [];
  await memory.subscribe(queues.peopleImports, [
    on(peopleRowsRead, (rows) => Promise.resolve(void peopleRows.push(rows))),
  ]);
  const ignore = [on(personSaved, () => Promise.resolve()), on(accountSaved, () => Promise.resolve())];
  await memory.subscribe(queues.webhookDirectory, ignore);
  const broker: Broker = {
    ...memory,
    publish(contract, message, id) {
      if (!line.cut) return memory.publish(contract, message, id);
      line.refused += 1;
      return Promise.reject(new Error('The line is cut'));
    },
  };
  return { broker, events, peopleRows };
}

function clientOf(server: Server, token: string, account: string): Client {
  const graphql: Client['graphql'] = async (query, variables, headers = {}) => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'X-Service-Account': account,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as Answer;
  };
  const rest: Client['rest'] = (method, path, body) =>
    atPublicAddress(supertest(server), baseUrl)
      [method](path)
      .set('Authorization', `Bearer ${token}`)
      .set('X-Service-Account', account)
      .send(body);
  return {
    graphql,
    rest,
    get: (path) => rest('get', path),
    async ask<T>(path: string, query: string, variables?: object) {
      const { data, errors } = await graphql(query, variables);
      if (errors) throw new Error(JSON.stringify(errors));
      return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], data) as T;
    },
  };
}
