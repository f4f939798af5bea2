import { randomBytes, randomUUID } from 'node:crypto';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { on } from '@itsm/shared/messages/broker/broker';
import { createMemoryBroker } from '@itsm/shared/messages/broker/memory-broker';
import { accountSaved, personSaved } from '@itsm/shared/contracts/directory';
import type { AccountSaved, PersonSaved, Role } from '@itsm/shared/contracts/directory';
import { peopleRowsImported } from '@itsm/shared/contracts/imports';
import type { PeopleRowsImported } from '@itsm/shared/contracts/imports';
import { recordChanged } from '@itsm/shared/contracts/records';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { queues } from '@itsm/shared/contracts/topology';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import type { Connection } from 'mongoose';
import request from 'supertest';
import { createApp } from '../app';
import type { AuthDependencies } from '../app';
import type { ApplicationInput } from '../clients/ensure-application';
import { loadConfig } from '../config';
import type { PersonInput } from '../directory/person.service';

export const baseUrl = 'http://localhost:4000';
export const callback = 'https://client.example/callback';
export const introspectionSecret = 'an introspection secret of forty characters';
const cheap = { cost: 16, blockSize: 8, parallelization: 1 };
const queue = { name: 'test.directory', contracts: [accountSaved, personSaved, recordChanged, peopleRowsImported] };

/** The messages published so far. */
interface Published {
  readonly accounts: AccountSaved[];
  readonly people: PersonSaved[];
  readonly events: RecordChanged[];
  /** What became of rows of files. */
  readonly imported: PeopleRowsImported[];
}

interface StartOptions {
  readonly database?: string;
  readonly coordination?: Coordination;
  readonly settings?: Readonly<Record<string, string>>;
  readonly providerLookup?: AuthDependencies['providerLookup'];
  readonly derivePassword?: AuthDependencies['derivePassword'];
  readonly importRests?: AuthDependencies['importRests'];
  /** Opens the database connection; default: `connectPatiently`. */
  readonly connect?: (url: string) => Promise<Connection>;
}

/** The environment of the service on this database. */
export const settingsOf = (mongodbUrl: string, settings: Readonly<Record<string, string>> = {}) => ({
  MONGODB_URL: mongodbUrl,
  AMQP_URL: 'amqp://in-process',
  BASE_URL: baseUrl,
  INTROSPECTION_SECRET: introspectionSecret,
  SEALING_KEYS: Buffer.alloc(32, 7).toString('base64'),
  ...settings,
});

/** One store for a test file. Each `start` starts the service on a new database, or a replica on a given one. */
export async function startStore() {
  const mongo = await startEmbeddedMongo();
  const closing: (() => Promise<void>)[] = [];
  // Starts at the real time, because TTL indexes use the store's clock, and stands still until a test moves it. A grant
  // in the same millisecond as a disabling counts as made before it.
  const clock = { offset: 0 };
  const begin = Date.now();
  const now = () => new Date(begin + clock.offset);

  async function start({ database = `auth_${randomUUID()}`, ...options }: StartOptions = {}) {
    const url = mongo.urlOf(database);
    const connection = await (options.connect ?? connectPatiently)(url);
    const log: string[] = [];
    const logger = createLogger('auth', 'debug', (line) => log.push(line));
    const published: Published = { accounts: [], people: [], events: [], imported: [] };
    const broker = createMemoryBroker({ logger, queues: [queue, queues.peopleImports] });
    await broker.subscribe(queue, [
      on(accountSaved, (message) => Promise.resolve(void published.accounts.push(message))),
      on(personSaved, (message) => Promise.resolve(void published.people.push(message))),
      on(peopleRowsImported, (message) => Promise.resolve(void published.imported.push(message))),
      on(recordChanged, (message) => Promise.resolve(void published.events.push(message))),
    ]);
    const coordination = options.coordination ?? createMemoryCoordination({ now });
    const config = loadConfig(settingsOf(url, options.settings));
    const { providerLookup, derivePassword, importRests } = options;
    const given = {
      passwordCost: cheap,
      ...(providerLookup && { providerLookup }),
      ...(derivePassword && { derivePassword }),
      ...(importRests && { importRests }),
    };
    const app = createApp({ config, connection, broker, coordination, logger, now, ...given });
    await app.start();
    closing.push(async () => {
      await app.stop();
      await broker.close();
      await connection.close();
    });
    return {
      app,
      broker,
      http: atPublicAddress(request(app.http), baseUrl),
      connection,
      coordination,
      database,
      clock,
      now,
      log,
      published,
    };
  }

  return {
    start,
    urlOf: (database: string) => mongo.urlOf(database),
    async close() {
      for (const close of closing) await close();
      await mongo.close();
    },
  };
}

export type Store = Awaited<ReturnType<typeof startStore>>;
export type Auth = Awaited<ReturnType<Store['start']>>;

export const everything: Scope[] = [{ effect: 'allow', actions: ['*:*'] }];

type PersonSeed = Partial<PersonInput> & { readonly accountId?: string };

const newAccountId = (): string => `a${randomBytes(5).toString('hex')}`;

/** Creates an account with a person who has all roles. */
export async function seedPerson({ app }: Auth, { accountId = newAccountId(), ...more }: PersonSeed = {}) {
  await app.operator.ensureAccount({ id: accountId, name: `Account ${accountId}` });
  const email = `ellen.${randomBytes(4).toString('hex')}@${accountId}.example`;
  const password = randomBytes(12).toString('base64url');
  const roles: Role[] = ['account_administrator'];
  const input = { accountId, name: 'Ellen Brown', primaryEmail: email, password, roles, ...more };
  const { id } = await app.operator.ensurePerson(input);
  return { id, accountId, email, password };
}

export type SeededPerson = Awaited<ReturnType<typeof seedPerson>>;

export const seedApplication = ({ app }: Auth, accountId: string, more: Partial<ApplicationInput> = {}) =>
  app.operator.ensureApplication({
    accountId,
    name: 'Demo application',
    redirectUris: [callback],
    grantTypes: ['authorization_code', 'refresh_token'],
    scopes: [{ effect: 'allow', actions: ['me:Name', 'person:Read'] }],
    pkceRequired: false,
    ...more,
  });

export type SeededApplication = Awaited<ReturnType<typeof seedApplication>>;
