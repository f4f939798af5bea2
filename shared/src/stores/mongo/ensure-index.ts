import { createHash } from 'node:crypto';
import type { Collection, Connection, Model, mongo } from 'mongoose';

type Key = Readonly<Record<string, 1 | -1>>;

/** The options of an index. */
interface Options {
  readonly name?: string;
  readonly unique?: boolean;
  readonly partialFilterExpression?: object;
  readonly expireAfterSeconds?: number;
}

type Stored = mongo.IndexDescriptionInfo;

/**
 * Creates an index and replaces an earlier version with the same name or key. The new one is built before the old one
 * is dropped, so that uniqueness is always enforced. Safe for concurrent processes.
 */
export async function ensureIndex<D extends object>(
  { conn, name }: Collection<D>,
  key: Key,
  options: Options = {},
): Promise<void> {
  const collection = conn.collection(name);
  try {
    await collection.createIndex(key, options);
  } catch (error) {
    if (!conflicts.has(codeOf(error))) throw error;
    await replaceIndex(collection, key, options);
  }
}

/** Creates several indexes in one command; falls back to one by one when an older index conflicts. */
export async function ensureIndexes<D extends object>(
  { conn, name }: Collection<D>,
  indexes: readonly (Options & { readonly key: Key })[],
): Promise<void> {
  const collection = conn.collection(name);
  try {
    if (indexes.length > 0) await collection.createIndexes(indexes.map((index) => ({ ...index })));
  } catch (error) {
    if (!conflicts.has(codeOf(error))) throw error;
    for (const { key, ...options } of indexes) await ensureIndex(collection, key, options);
  }
}

/** Creates the indexes that a model's schema declares. */
export const ensureModelIndexes = <D>({ collection, schema }: Model<D>): Promise<void> =>
  ensureIndexes(
    collection,
    schema.indexes().map(([key, options]) => ({ ...(options as Options), key: key as Key })),
  );

/** Creates the indexes of every model on the connection. */
export async function ensureConnectionIndexes({ models }: Connection): Promise<void> {
  for (const model of Object.values(models)) await ensureModelIndexes(model);
}

/** IndexOptionsConflict, IndexKeySpecsConflict. */
const conflicts = new Set([85, 86]);
const [indexNotFound, commandNotFound, optionsConflict] = [27, 59, 85];

const codeOf = (error: unknown): number => Number((error as { readonly code?: unknown }).code);

async function replaceIndex(collection: Collection, key: Key, { name = nameOf(key), ...rest }: Options): Promise<void> {
  const all = await collection.indexes();
  if (all.some((index) => identityOf(index) === identityOf({ key, ...rest })))
    return dropUnless(collection, all, name, key, rest);
  const { expireAfterSeconds, ...lasting } = rest;
  const expiring = all.find((index) => {
    return identityOf(lastingOf(index)) === identityOf({ key, ...lasting });
  });
  if (expiring && expireAfterSeconds !== undefined) return changeExpiry(collection, expiring, key, { name, ...rest });
  const hash = createHash('sha256')
    .update(identityOf({ key, ...rest }))
    .digest('hex')
    .slice(0, 8);
  try {
    await collection.createIndex(key, { ...rest, name: `${name}_${hash}` });
  } catch (error) {
    if (codeOf(error) !== optionsConflict) throw error;
    // The embedded store cannot have both at the same time.
    for (const index of all) if (sameKey(index.key as Key, key)) await drop(collection, index.name);
    await collection.createIndex(key, { ...rest, name });
    return;
  }
  await dropUnless(collection, all, name, key, rest);
}

/** Drops the index with this name, unless it has the wanted definition. */
async function dropUnless(
  collection: Collection,
  all: readonly Stored[],
  name: string,
  key: Key,
  wanted: Options,
): Promise<void> {
  for (const index of all)
    if (index.name === name && identityOf(index) !== identityOf({ key, ...wanted })) await drop(collection, index.name);
}

/** Changes the expiry in place, without rebuilding the index. */
async function changeExpiry(collection: Collection, { name }: Stored, key: Key, options: Options): Promise<void> {
  const { expireAfterSeconds } = options;
  try {
    await collection.conn.db?.command({ collMod: collection.name, index: { name, expireAfterSeconds } });
  } catch (error) {
    if (codeOf(error) !== commandNotFound) throw error;
    await drop(collection, name);
    await collection.createIndex(key, options);
  }
}

async function drop(collection: Collection, name: string | undefined): Promise<void> {
  try {
    if (name !== undefined) await collection.dropIndex(name);
  } catch (error) {
    // Another process has dropped it.
    if (codeOf(error) !== indexNotFound) throw error;
  }
}

/** The store's default name for an index. */
const nameOf = (key: Key): string =>
  Object.entries(key)
    .map(([path, direction]) => `${path}_${direction}`)
    .join('_');

const sameKey = (one: Key, other: Key): boolean =>
  JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));

/** The definition that makes two indexes equal, whatever their names. */
const identityOf = ({ key, unique, partialFilterExpression, expireAfterSeconds }: Partial<Stored>): string =>
  JSON.stringify([
    Object.entries(key ?? {}),
    unique ?? false,
    partialFilterExpression ?? null,
    expireAfterSeconds ?? null,
  ]);

const lastingOf = (index: Stored): Partial<Stored> => {
  const lasting = { ...index };
  delete lasting.expireAfterSeconds;
  return lasting;
};
