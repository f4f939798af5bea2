import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { Connection } from 'mongoose';
import { duringCall } from '../base/concurrency/present-call';
import { connectPatiently } from '../testing/connect-patiently';
import { generatedPart } from './generated-part';
import { mayBeUnique, scattered, shardingTable, undecided } from './shard-keys';
import type { Sharding } from './shard-keys';
import { endless, faultsOf, hasty, sentBy, takersOfConnection, unexercised } from './store-commands';
import type { Exercise, Sent } from './store-commands';

/** The repositories of a service, and their sample calls and data. */
export interface Repositories {
  /** The folder of the service's sources. */
  readonly folder: string;
  /** A sample call of each method of each repository. */
  exercises(connection: Connection): readonly Exercise[];
  readonly ensureIndexes: (connection: Connection) => Promise<void>;
  /** Inserts `count` documents into each collection that may grow, including those that the sample calls use. */
  readonly fill: (connection: Connection, count: number) => Promise<void>;
  /** Functions that take a connection, but use the store only through repositories, or only create its indexes. */
  readonly composed: readonly string[];
}

const methodOf = ({ creator, method }: Pick<Sent, 'creator' | 'method'>): string => `${creator}.${method}`;

const declaredBy = (all: readonly Exercise[], which: 'forgettable' | 'unbounded'): string[] =>
  all.flatMap(({ creator, [which]: methods = {} }) =>
    Object.keys(methods).map((method) => methodOf({ creator, method })),
  );

/** `few` suffices for the calls; `many` distinguishes an index from a collection scan. */
const [few, many] = [100, 2_000];

async function run(
  repositories: Repositories,
  count: number,
  look: (connection: Connection, all: readonly Exercise[]) => Promise<void>,
): Promise<void> {
  const mongo = await startEmbeddedMongo();
  const connection = await connectPatiently(mongo.urlOf(`p${randomBytes(4).toString('hex')}`), {
    monitorCommands: true,
  });
  try {
    const all = repositories.exercises(connection);
    await prepare(repositories, connection, all, count);
    await look(connection, all);
  } finally {
    await connection.close();
    await mongo.close();
  }
}

async function prepare(
  { ensureIndexes, fill }: Repositories,
  connection: Connection,
  all: readonly Exercise[],
  count: number,
): Promise<void> {
  for (const { repository } of all)
    if ('ensureIndexes' in repository) await (repository as { ensureIndexes(): Promise<void> }).ensureIndexes();
  await ensureIndexes(connection);
  await fill(connection, count);
}

/**
 * Tests that every access to the store has a sample call, that the repositories' writes are durable, and what the store
 * deletes by itself: `expiring` has, by collection, the time after which it does, and how many seconds later.
 */
export function proveWrites(
  repositories: Repositories,
  expiring: Readonly<Record<string, readonly [string, number]>>,
): void {
  test('every write is on a majority and in the journal, but for those that say why they need not be', async () => {
    await run(repositories, few, async (connection, all) => {
      const found = new Set(hasty(await sentBy(connection, all)).map(methodOf));
      expect([...found].sort()).toEqual(declaredBy(all, 'forgettable').sort());
    });
  });

  test('what must not stay for ever is deleted by the store, and nothing else', async () => {
    await run(repositories, few, async ({ db }) => {
      const found: [string, [string, number]][] = [];
      for (const { collectionName } of (await db?.collections()) ?? [])
        for (const { key, expireAfterSeconds } of await db!.collection(collectionName).indexes())
          if (expireAfterSeconds !== undefined)
            found.push([collectionName, [Object.keys(key).join(), expireAfterSeconds]]);
      expect(Object.fromEntries(found)).toEqual(expiring);
    });
  });

  test('every method of every repository has a sample call', async () => {
    await run(repositories, few, (_connection, all) => {
      const creators = new Set([...all.map(({ creator }) => creator), ...repositories.composed]);
      expect(takersOfConnection(repositories.folder).filter((name) => !creators.has(name))).toEqual([]);
      expect(unexercised(all)).toEqual([]);
      return Promise.resolve();
    });
  });
}

/**
 * Tests that reads on behalf of callers are queued fairly and end with their call. `forNobody` lists the other methods
 * that read several documents, each with its reason.
 */
export function proveReads(repositories: Repositories, forNobody: Readonly<Record<string, string>>): void {
  test('every read of several documents takes the turn of its caller, but for those that no caller waits for', async () => {
    await run(repositories, few, async (connection, all) => {
      const call = { accountId: 'wdc', left: () => 60_000, signal: new AbortController().signal };
      setMaxListeners(0, call.signal);
      const found = new Set(endless(await duringCall(call, () => sentBy(connection, all))).map(methodOf));
      expect([...found].sort()).toEqual(Object.keys(forNobody).sort());
    });
  });
}

/** Tests that the repositories' commands would target single shards if the collections were sharded as declared. */
export function proveShards(service: string, repositories: Repositories, sharding: Sharding): void {
  test('every command carries the shard key of its collection, but for those that say why not', async () => {
    await run(repositories, few, async (connection, all) => {
      const sent = await sentBy(connection, all);
      expect(undecided(sent, sharding)).toEqual([]);
      expect(scattered(sent, sharding)).toEqual(Object.keys(sharding.toAllShards).sort());
    });
  });

  test('every unique index of a collection that is split begins with its shard key', async () => {
    await run(repositories, few, async (connection) => {
      const wrong: string[] = [];
      for (const [name, shardKey] of Object.entries(sharding.split))
        for (const { key, unique } of await connection.db!.collection(name).indexes())
          if (unique === true && !mayBeUnique(key, shardKey)) wrong.push(`${name} ${JSON.stringify(key)}`);
      expect(wrong).toEqual([]);
    });
  });

  test('docs/scale.md says how its collections are split', () => {
    const table = shardingTable(sharding);
    expect(generatedPart('docs/scale.md', `shards of ${service}`, table)).toBe(table);
  });
}

/** Tests by query plans that every command, on full collections, examines about as much as it returns. */
export function provePlans(repositories: Repositories): void {
  test('every command finds what it looks for in an index', async () => {
    await run(repositories, many, async (connection, all) => {
      const sent = await sentBy(connection, all);
      // The calls have changed the data.
      await connection.db?.dropDatabase();
      await prepare(repositories, connection, all, many);
      const unbounded = declaredBy(all, 'unbounded');
      const found = new Set<string>();
      const needless = new Set(unbounded);
      for (const one of sent) {
        const faults = await faultsOf(connection, one);
        if (faults.length === 0) continue;
        needless.delete(methodOf(one));
        if (!unbounded.includes(methodOf(one))) found.add(`${methodOf(one)}: ${faults.join('; ')} by ${summary(one)}`);
      }
      expect([...found]).toEqual([]);
      expect([...needless]).toEqual([]);
    });
  });
}

const summary = ({ command }: Sent): string => {
  const { lsid: _session, $db: _database, $clusterTime: _time, writeConcern: _concern, ...rest } = command;
  return JSON.stringify(rest, (_name, value: unknown) =>
    value instanceof Map ? (Object.fromEntries(value) as object) : value,
  );
};
