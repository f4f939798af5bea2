import type { Platform } from '@itsm/shared/running/module';
import type { PlacedFiles } from '../attachments/placed-files';
import type { Reading } from '../read/module';
import { ofType } from '../record-types/record-type';
import type { RecordType } from '../record-types/record-type';
import type { Store } from '../store/module';
import { createFileChanges } from './file-changes';
import { createNoteService } from './note.service';
import type { NoteService } from './note.service';
import type { RecordImporter } from './record-import';
import { createRecordWriter } from './record-writer';
import type { RecordWriter } from './record-writer';
import { createRecordService } from './record.service';
import type { RecordService } from './record.service';
import { createTypeImporter } from './type-importer';

interface Needs {
  readonly types: readonly RecordType[];
  readonly store: Store;
  readonly reading: Reading;
  readonly placedFiles: PlacedFiles;
  /** Triggers the relay of the collection's outbox at once. */
  readonly nudge: (collection: string) => void;
  /** Publishes no events and notifies nobody, as imports. */
  readonly silent?: boolean;
}

export interface Writing {
  readonly serviceOf: (typeName: RecordType['name']) => RecordService;
  readonly notes: NoteService;
  readonly importer: RecordImporter;
}

export function createWriting(
  { nodeIdDomain, now }: Platform,
  { types, store, reading, placedFiles, nudge, silent = false }: Needs,
): Writing {
  const { repositoryOf, recordFiles, trails, trailKeeper, sequence } = store;
  const { openLookups } = reading;
  const parts = types.map((type) => {
    const repository = repositoryOf(type.name);
    const loud = createRecordWriter({ repository, trailKeeper, placedFiles, sequence, nudge, nodeIdDomain });
    const writer = silent ? silently(loud) : loud;
    const files = createFileChanges(type, recordFiles);
    const needs = { type, repository, trails, openLookups, writer, sequence, placedFiles, files, nodeIdDomain, now };
    return { name: type.name, service: createRecordService(needs), importer: createTypeImporter(needs) };
  });
  const serviceOf = ofType(new Map(parts.map(({ name, service }) => [name, service])));
  const importerOf = ofType(new Map(parts.map(({ name, importer }) => [name, importer])));
  return {
    serviceOf,
    notes: createNoteService(serviceOf),
    importer: {
      columnsOf: (typeName) => importerOf(typeName).columns,
      check: (typeName, caller) => importerOf(typeName).check(caller),
      reserve: (typeName, rows) => importerOf(typeName).reserve(rows),
      importRows: (typeName, ...rest) => importerOf(typeName).importRows(...rest),
    },
  };
}

const silently = (writer: RecordWriter): RecordWriter => ({
  write: (write, lookups, { note, noteId } = {}) =>
    writer.write(write, lookups, { note, ...(noteId !== undefined && { noteId }), silent: true }),
});
