import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RawDocument } from '../../documents/document';
import type { Catalog } from '../catalog';
import type { Collection } from '../collection';
import { idIndexSpec } from '../index-spec';
import type { IndexSpec } from '../index-spec';
import type { JournalEntry } from '../journal';
import { encodeEntry } from './entry-codec';
import type { LogJournal } from './log-journal';
import { openLogWriter } from './log-writer';
import type { LogWriter } from './log-writer';

const writeBytes = 1024 * 1024;

/** Rewrites the log as the shortest one with the same outcome, while writes go on, and puts it in the old one's place. */
export async function compactLog(path: string, catalog: Catalog, journal: LogJournal): Promise<void> {
  const newPath = newLogPath(path);
  // From here to the first await is one moment: the snapshot and what is collected after it make up the whole.
  journal.collect();
  const snapshot = snapshotEntries(catalog);
  const writer = await openLogWriter(newPath, 0);
  try {
    await writeEntries(writer, snapshot);
    // What was written meanwhile shrinks with each round; the last rest is written while writers wait.
    for (let round = 0; round < 3; round += 1) await writer.write(journal.takeCollected());
    await writer.sync();
    await journal.switchTo(async (rest) => {
      await writer.write(rest);
      await writer.sync();
      await rename(newPath, path);
      await syncDirectory(dirname(path));
      return writer;
    });
  } catch (error) {
    await writer.close().catch(() => undefined);
    await rm(newPath, { force: true });
    throw error;
  }
}

export const newLogPath = (path: string): string => `${path}.new`;

/** Takes hold of everything at once, and gives it out as entries bit by bit. */
function snapshotEntries(catalog: Catalog): Iterable<JournalEntry> {
  // Documents never change in place, so holding them is holding the state of this moment.
  const collections = catalog.list().map((collection) => ({
    collection,
    specs: [...collection.indexes.values()].map(({ spec }) => spec),
    documents: [...collection.records.values()],
  }));
  return entriesOf(collections);
}

interface CollectionSnapshot {
  readonly collection: Collection;
  readonly specs: readonly IndexSpec[];
  readonly documents: readonly RawDocument[];
}

function* entriesOf(collections: readonly CollectionSnapshot[]): Generator<JournalEntry, void, void> {
  for (const { collection, specs, documents } of collections) {
    const { id, database, name, options } = collection;
    yield { kind: 'create', collection: id, about: { database, name, options } };
    for (const spec of specs) {
      if (spec.name !== idIndexSpec.name) yield { kind: 'createIndex', collection: id, about: { ...spec } };
    }
    for (const document of documents) yield { kind: 'put', collection: id, document };
  }
}

async function writeEntries(writer: LogWriter, entries: Iterable<JournalEntry>): Promise<void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const encoded = encodeEntry(entry);
    parts.push(...encoded);
    bytes += encoded[0].length + encoded[1].length;
    if (bytes < writeBytes) continue;
    await writer.write(parts);
    parts = [];
    bytes = 0;
  }
  await writer.write(parts);
}

/** Makes the renaming itself survive a power failure, where the platform allows it. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
