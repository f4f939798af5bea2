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

/** Compacts the log: writes the live data to a new log while writes go on, then replaces the old one by renaming. */
export async function compactLog(path: string, catalog: Catalog, journal: LogJournal): Promise<void> {
  const newPath = newLogPath(path);
  // No await until the snapshot is taken, so snapshot and later entries together are complete.
  journal.collect();
  const snapshot = snapshotEntries(catalog);
  const writer = await openLogWriter(newPath, 0);
  try {
    await writeEntries(writer, snapshot);
    // Each round has fewer new entries to write. The last ones are written by `switchTo`, while writers wait.
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

/** Takes a consistent snapshot, and streams it as log entries. */
function snapshotEntries(catalog: Catalog): Iterable<JournalEntry> {
  // Stored documents are immutable, so references to them are a snapshot.
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

/** Syncs the directory, so that the rename survives a power failure. Not every platform supports this. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
