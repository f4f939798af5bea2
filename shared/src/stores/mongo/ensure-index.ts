import { createHash } from 'node:crypto';
import type { Collection, Connection, Model, mongo } from 'mongoose';

type Key = Readonly<Record<string, 1 | -1>>;

/** What an index may be besides its key. */
interface Options {
  readonly name?: string;
  readonly unique?: boolean;
  readonly partialFilterExpression?: object;
  readonly expireAfterSeconds?: number;
}

type Stored = mongo.IndexDescriptionInfo;

/**
 * Makes an index, in the place of what an earlier version had under the same name or key: the new one is built before the
 * old one goes, so that a unique one guards at every moment, and any number of processes may do it at once.
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

/** Makes several in one command, where none of them is in conflict with an older one. */
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

/** Makes the indexes that a model's schema names. */
export const ensureModelIndexes = <D>({ collection, schema }: Model<D>): Promise<void> =>
  ensureIndexes(
    collection,
    schema.indexes().map(([key, options]) => ({ ...(options as Options), key: key as Key })),
  );

/** Makes the indexes of every model on the connection. */
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
    // A store that does not have both at a time.
    for (const index of all) if (sameKey(index.key as Key, key)) await drop(collection, index.name);
    await collection.createIndex(key, { ...rest, name });
    return;
  }
  await dropUnless(collection, all, name, key, rest);
}

/** Drops an index with this name, unless it has the wanted definition. */
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

/** Takes effect at once, without another index. */
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
    // Another process was faster.
    if (codeOf(error) !== indexNotFound) throw error;
  }
}

/** As the store names an index that was given no name. */
const nameOf = (key: Key): string =>
  Object.entries(key)
    .map(([path, direction]) => `${path}_${direction}`)
    .join('_');

const sameKey = (one: Key, other: Key): boolean =>
  JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));

/** What makes an index the same under whatever name. */
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
