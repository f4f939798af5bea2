import type { Connection } from 'mongoose';
import { durable } from '../mongo/connect-mongo';
import { createSealer, keyIdIn } from './sealer';
import type { Sealer } from './sealer';

interface Stored {
  readonly _id: string | number;
}

/** A sealed text in a document; `path` is dotted, elements of arrays by their position. */
export interface SealedText {
  readonly path: string;
  readonly sealed: string;
  readonly context: string;
  /** What is derived from the text under the same key, and written together with it. */
  readonly derived?: (text: string) => Readonly<Record<string, string>>;
}

/** A collection in whose documents sealed texts rest. */
export interface SealedPlace<D extends Stored = Stored> {
  readonly collection: string;
  /** The members that `textsIn` reads. */
  readonly members: readonly string[];
  textsIn(document: D): readonly SealedText[];
  /** A member that grows with the write, so that a change that has read the document already is decided anew. */
  readonly revision?: string;
}

export type KeyRing = readonly [Buffer, ...Buffer[]];

/** How many texts were sealed anew, and how many are still sealed with another key than the first, by that key's id. */
export interface Resealed {
  readonly resealed: number;
  readonly remaining: ReadonlyMap<string, number>;
}

interface Resealing {
  readonly connection: Connection;
  readonly keys: KeyRing;
  readonly places: readonly SealedPlace[];
  /** Takes one line about how far it is, or about a text that does not open. */
  readonly say: (line: string) => void;
}

const batchSize = 100;
const progressEvery = 10_000;

/**
 * Seals with the first key what rests sealed with another one of the ring. Can be repeated, and runs beside the service:
 * whatever is saved meanwhile stays as it was saved. What remains is counted afterwards, in a walk of its own.
 */
export async function reseal({ connection, keys, places, say }: Resealing): Promise<Resealed> {
  const sealer = createSealer(keys);
  const [first] = sealer.keyIds;
  const others = (place: SealedPlace, document: Stored) =>
    place.textsIn(document).filter(({ sealed }) => keyIdIn(sealed) !== first);

  let resealed = 0;
  for (const place of places)
    for await (const batch of batchesOf(connection, place, (line) => say(`Resealing ${line}`))) {
      const counts = await Promise.all(
        batch.map((document) => resealDocument(connection, place, document, openEach(document, place))),
      );
      resealed += counts.reduce((sum, count) => sum + count, 0);
    }

  const remaining = new Map<string, number>();
  for (const place of places)
    for await (const batch of batchesOf(connection, place, (line) => say(`Counting ${line}`)))
      for (const { sealed } of batch.flatMap((document) => others(place, document)))
        remaining.set(keyIdIn(sealed), (remaining.get(keyIdIn(sealed)) ?? 0) + 1);
  return { resealed, remaining };

  function openEach(document: Stored, place: SealedPlace): readonly Anew[] {
    const known = others(place, document).filter(({ sealed }) => sealer.keyIds.includes(keyIdIn(sealed)));
    return known.flatMap((text) => {
      const anew = sealAnew(sealer, text);
      if (!anew) say(`${place.collection} ${document._id}: ${text.path} does not open and stays as it is`);
      return anew ? [anew] : [];
    });
  }
}

/** A text as it stands, and what takes its place. */
interface Anew {
  readonly path: string;
  readonly standing: string;
  readonly written: Readonly<Record<string, string>>;
}

function sealAnew(sealer: Sealer, { path, sealed, context, derived }: SealedText): Anew | undefined {
  try {
    const text = sealer.open(sealed, context);
    return { path, standing: sealed, written: { [path]: sealer.seal(text, context), ...derived?.(text) } };
  } catch {
    return undefined;
  }
}

/** One write under the condition that all of them still stand there; says how many texts it sealed. */
async function resealDocument(
  connection: Connection,
  { collection, revision }: SealedPlace,
  { _id }: Stored,
  texts: readonly Anew[],
): Promise<number> {
  if (texts.length === 0) return 0;
  const standing = Object.fromEntries(texts.map((text) => [text.path, text.standing]));
  const $set = Object.assign({}, ...texts.map(({ written }) => written)) as Record<string, string>;
  const { matchedCount } = await connection
    .collection<Stored>(collection)
    .updateOne(
      { _id, ...standing },
      { $set, ...(revision !== undefined && { $inc: { [revision]: 1 } }) },
      { writeConcern: durable },
    );
  return matchedCount > 0 ? texts.length : 0;
}

/** The documents of a collection by their ids; each read is short, however large the collection is. */
async function* batchesOf(
  connection: Connection,
  { collection, members }: SealedPlace,
  say: (line: string) => void,
): AsyncGenerator<readonly Stored[]> {
  const documents = connection.collection<Stored>(collection);
  const projection = Object.fromEntries(members.map((member) => [member, 1]));
  let after: Stored['_id'] | undefined;
  for (let seen = 0; ;) {
    const batch = await documents
      .find(after === undefined ? {} : { _id: { $gt: after } }, { projection })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray();
    yield batch;
    seen += batch.length;
    if (batch.length > 0 && seen % progressEvery === 0) say(`${collection}: ${seen} documents so far`);
    if (batch.length < batchSize) return;
    after = batch.at(-1)?._id;
  }
}
