import { createRests } from '@itsm/shared/base/concurrency/rests';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
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
import { createImportRepository } from './import.repository';
import { createImportRouter } from './import.routes';
import { createImportService } from './import.service';

export { letUploadsWait } from '../uploads/form-upload';

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
  /** The largest accepted file, in bytes. */
  readonly importMaxBytes: number;
}

const pollMilliseconds = 5_000;

/** CSV imports and bulk mutations: what accepts them, and the worker that writes them. */
export function createImports(platform: Platform, needs: Needs): Module {
  const { types, writing, store, presence, importMaxBytes: mostBytes } = needs;
  const { importRests: rests = createRests() } = needs;
  const { connection, baseUrl, nodeIdDomain, logger, now } = platform;
  const { importer, serviceOf } = writing;
  const { sequence } = store;
  const mutationsOf = ofType(new Map(types.map(({ name }) => [name, createMutations(serviceOf(name), nodeIdDomain)])));
  const imports = createImportRepository(connection);
  const files = createImportFileRepository(connection, now);
  const work = { imports, files, importer, mutationsOf, presence, rests, logger, now, pollMilliseconds };
  const worker = createImportWorker(work);
  const onQueued = () => worker.nudge();
  const service = createImportService({ types, importer, imports, files, sequence, mostBytes, onQueued, now });
  return {
    sdl: bulkSdl(types),
    resolvers: createBulkResolvers(types, service),
    routes: [{ path: '/v1/import', access: 'caller', router: createImportRouter(service, baseUrl) }],
    stores: [imports, files],
    runners: [worker],
  };
}
