import type { Connection } from 'mongoose';
import { durable } from '../mongo/connect-mongo';
import { createSealer, keyIdIn } from '../../base/secrets/sealer';
import type { Sealer } from '../../base/secrets/sealer';

interface Stored {
  readonly _id: string | number;
}

/** A sealed text in a document; `path` is dotted, with indices for array elements. */
export interface SealedText {
  readonly path: string;
  readonly sealed: string;
  readonly context: string;
  /** Values that are derived from the text with the same key, and are written with it. */
  readonly derived?: (text: string) => Readonly<Record<string, string>>;
}

/** A collection with sealed texts in its documents. */
export interface SealedPlace<D extends Stored = Stored> {
  readonly collection: string;
  /** The members that `textsIn` reads (the projection). */
  readonly members: readonly string[];
  textsIn(document: D): readonly SealedText[];
  /** A member that is incremented by the write, so that a concurrent optimistic update is retried. */
  readonly revision?: string;
}

export type KeyRing = readonly [Buffer, ...Buffer[]];

/**
 * The number of re-encrypted texts, and by key id the number of texts that are still sealed with another key than the
 * first.
 */
export interface Resealed {
  readonly resealed: number;
  readonly remaining: ReadonlyMap<string, number>;
}

interface Resealing {
  readonly connection: Connection;
  readonly keys: KeyRing;
  readonly places: readonly SealedPlace[];
  /** Gets one line about the progress, or about a text that cannot be opened. */
  readonly say: (line: string) => void;
  /** Documents of a collection between two progress lines. */
  readonly progressEvery?: number;
}

const batchSize = 100;

/**
 * Re-encrypts with the first key all texts that are sealed with another key of the ring. Idempotent, and safe while the
 * service runs: a concurrent save wins. Remaining texts are counted afterwards in a separate scan.
 */
export async function reseal(resealing: Resealing): Promise<Resealed> {
  const sealer = createSealer(resealing.keys);
  let resealed = 0;
  for (const place of resealing.places) resealed += await resealPlace(resealing, place, sealer);
  const remaining = new Map<string, number>();
  for (const place of resealing.places)
    for await (const batch of batchesOf(resealing, place, 'Counting'))
      for (const { sealed } of batch.flatMap((document) => underOthers(place, document, sealer)))
        remaining.set(keyIdIn(sealed), (remaining.get(keyIdIn(sealed)) ?? 0) + 1);
  return { resealed, remaining };
}

const underOthers = (place: SealedPlace, document: Stored, { keyIds: [first] }: Sealer): readonly SealedText[] =>
  place.textsIn(document).filter(({ sealed }) => keyIdIn(sealed) !== first);

async function resealPlace(resealing: Resealing, place: SealedPlace, sealer: Sealer): Promise<number> {
  const { connection, say } = resealing;
  const renewedIn = (document: Stored): readonly Renewed[] =>
    underOthers(place, document, sealer)
      .filter(({ sealed }) => sealer.keyIds.includes(keyIdIn(sealed)))
      .flatMap((text) => {
        const renewed = sealAgain(sealer, text);
        if (!renewed) say(`${place.collection} ${document._id}: ${text.path} does not open and stays as it is`);
        return renewed ?? [];
      });

  let resealed = 0;
  for await (const batch of batchesOf(resealing, place, 'Resealing')) {
    const counts = await Promise.all(
      batch.map((document) => resealDocument(connection, place, document, renewedIn(document))),
    );
    resealed += counts.reduce((sum, count) => sum + count, 0);
  }
  return resealed;
}

/** A sealed text and its replacement. */
interface Renewed {
  readonly path: string;
  readonly standing: string;
  readonly written: Readonly<Record<string, string>>;
}

function sealAgain(sealer: Sealer, { path, sealed, context, derived }: SealedText): Renewed | undefined {
  try {
    const text = sealer.open(sealed, context);
    return { path, standing: sealed, written: { [path]: sealer.seal(text, context), ...derived?.(text) } };
  } catch {
    return undefined;
  }
}

/** Writes conditionally on the old texts (compare-and-set); returns the number of re-encrypted texts. */
async function resealDocument(
  connection: Connection,
  { collection, revision }: SealedPlace,
  { _id }: Stored,
  texts: readonly Renewed[],
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

/** The documents of a collection in pages by id, so that each read is short. */
async function* batchesOf(
  { connection, say, progressEvery = 10_000 }: Resealing,
  { collection, members }: SealedPlace,
  doing: string,
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
    if (batch.length < batchSize) return;
    if (seen % progressEvery === 0) say(`${doing} ${collection}: ${seen} documents so far`);
    after = batch.at(-1)?._id;
  }
}
