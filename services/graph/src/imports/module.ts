import { createRests } from '@itsm/shared/base/concurrency/rests';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
import { peopleRowsImported } from '@itsm/shared/contracts/imports';
import { queues } from '@itsm/shared/contracts/topology';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Module, Platform } from '@itsm/shared/running/module';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import type { RecordType } from '../record-types/record-type';
import { ofType } from '../record-types/record-type';
import type { Store } from '../store/module';
import type { Writing } from '../write/module';
import { createMutations } from '../write/mutations';
import { bulkSdl, createBulkResolvers } from './bulk.resolvers';
import { createImportFileRepository } from './import-file.repository';
import { createImportWorker } from './import-worker';
import { createImportRepository, importCollection } from './import.repository';
import { importedTypes } from './imported-types';
import { createImportRouter } from './import.routes';
import { createImportService } from './import.service';

export { letUploadsWait } from '../uploads/form-upload';
export { importCollection } from './import.repository';

/** What tests give instead of the usual. */
export interface ImportOptions {
  /** The rests of imports; default: as long as their work took. */
  readonly importRests?: Rests | undefined;
}

interface Needs extends ImportOptions {
  readonly types: readonly RecordType[];
  readonly writing: Pick<Writing, 'importer' | 'serviceOf'>;
  readonly store: Pick<Store, 'sequence'>;
  readonly presence: Presence;
  /** Triggers the relay of the collection's outbox at once. */
  readonly nudge: (collection: string) => void;
  /** The largest accepted file, in bytes. */
  readonly importMaxBytes: number;
}

const pollMilliseconds = 5_000;

/** CSV imports and bulk mutations: what accepts them, and the worker that writes them. */
export function createImports(platform: Platform, needs: Needs): Module {
  const { types, writing, store, presence, nudge, importMaxBytes: mostBytes } = needs;
  const { importRests: rests = createRests() } = needs;
  const { connection, baseUrl, nodeIdDomain, logger, now } = platform;
  const { importer, serviceOf } = writing;
  const { sequence } = store;
  const mutationsOf = ofType(new Map(types.map(({ name }) => [name, createMutations(serviceOf(name), nodeIdDomain)])));
  const imports = createImportRepository(connection);
  const files = createImportFileRepository(connection, now);
  const sendMessages = () => nudge(importCollection);
  const work = { imports, files, importer, mutationsOf, presence, sendMessages, rests, logger, now, pollMilliseconds };
  const worker = createImportWorker(work);
  const onQueued = () => worker.nudge();
  const imported = importedTypes(types, importer);
  const service = createImportService({ types: imported, imports, files, sequence, mostBytes, onQueued, now });
  const onAnswer = on(peopleRowsImported, async ({ importId, line, outcome }) => {
    const counted = await imports.count(importId, line, outcome, now());
    // Nobody waits for rows that were answered before, or whose import has ended.
    if (!counted) return;
    const { id, accountId, type, state, message: because } = counted;
    if (state === 'processing') return worker.nudge();
    await files.remove(id);
    logger.info('import finished', { importId: id, accountId, type, state, because });
    // The account may have others, which have waited for this one.
    worker.nudge();
  });
  return {
    sdl: bulkSdl(types),
    resolvers: createBulkResolvers(types, service),
    routes: [{ path: '/v1/import', access: 'caller', router: createImportRouter(service, baseUrl) }],
    consumers: [{ queue: queues.peopleImportResults, handlers: [onAnswer] }],
    stores: [imports, files],
    runners: [worker],
  };
}
