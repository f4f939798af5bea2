import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import request from 'supertest';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { extensionActivated } from '@itsm/shared/contracts/ui-extensions';
import type { ExtensionActivated } from '@itsm/shared/contracts/ui-extensions';
import { queues } from '@itsm/shared/contracts/topology';
import { on } from '@itsm/shared/messages/broker/broker';
import { createMemoryBroker } from '@itsm/shared/messages/broker/memory-broker';
import { createLogger, silentLogger } from '@itsm/shared/observing/logs/logger';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { atPublicAddress } from '@itsm/shared/testing/public-address';
import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { createApp } from '../app';
import { loadConfig } from '../config';
import { createContentCompiler, usualLimits } from '../compiler/content-compiler';

// The compiler process runs `dist`, so jest would otherwise test the previous build.
const build = (): Buffer => execFileSync(process.execPath, [join(__dirname, '../../../../scripts/build.mjs')]);

// Long wall-clock limits, for busy machines; the tests are about CPU time.
const patient = { startMilliseconds: 120_000, jobMilliseconds: 120_000, waitMilliseconds: 120_000 };

export const baseUrl = 'https://api.example';
const inProcess = { AMQP_URL: 'amqp://in-process' };
const begin = new Date('2026-03-18T19:04:06Z');

/** One store and one compiler for a test file. Each `start` starts the service on a new database, or a replica on a given one. */
export async function startStore() {
  build();
  // The store's clock is frozen at the start of the tests' clock, so no TTL index deletes anything.
  const mongo = await startEmbeddedMongo({ now: () => begin });
  const compiler = createContentCompiler(silentLogger, { ...usualLimits, ...patient });
  const shared = { ...compiler, close: () => Promise.resolve() };
  const keys = await startCallerKeys();
  const closing: (() => Promise<void>)[] = [];
  let databases = 0;

  async function start(database = `ui_extensions_${(databases += 1)}`) {
    const url = mongo.urlOf(database);
    const connection = await connectPatiently(url);
    const config = loadConfig({ MONGODB_URL: url, AUTH_JWKS_URL: keys.jwksUri, BASE_URL: baseUrl, ...inProcess });
    const errors: string[] = [];
    const clock = { time: begin };
    const logger = createLogger('ui-extensions', 'error', (line) => errors.push(line));
    const broker = createMemoryBroker({ logger: silentLogger });
    const announced: ExtensionActivated[] = [];
    const keep = (message: ExtensionActivated) => Promise.resolve(void announced.push(message));
    await broker.subscribe(queues.recordForms, [on(extensionActivated, keep)]);
    const app = createApp({ config, connection, broker, logger, now: () => clock.time, compiler: shared });
    await app.start();
    closing.push(async () => {
      await app.stop();
      await broker.close();
      await connection.close();
    });

    /** A client of an administrator of `account` with all scopes, unless `claims` say otherwise. */
    const as = (account: string, claims: Partial<CallerClaims> = {}) =>
      atPublicAddress(request.agent(app.http), baseUrl)
        .set('Authorization', `Bearer ${keys.token({ accounts: { [account]: ['account_administrator'] }, ...claims })}`)
        .set('X-Service-Account', account);
    const collections = async () => (await connection.listCollections()).map(({ name }) => name).sort();
    const collection = (name: string) => connection.collection(name);
    const stored = (name: string) => collection(name).find().toArray();
    return {
      app,
      announced,
      as,
      clock,
      errors,
      anonymous: atPublicAddress(request(app.http), baseUrl),
      database,
      collections,
      collection,
      stored,
    };
  }

  return {
    start,
    async close() {
      for (const close of closing) await close();
      await compiler.close();
      await keys.close();
      await mongo.close();
    },
  };
}

export const bodyIn = ({ body }: { body: unknown }): unknown => body;

/** The `id` in the body of an answer. */
export const idIn = ({ body }: { body: unknown }): number => (body as { id: number }).id;

export const listIn = ({ body }: { body: unknown }) => body as Record<string, unknown>[];
