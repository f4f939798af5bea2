import type { Rests } from '@itsm/shared/base/concurrency/rests';
import type { Module, Platform } from '@itsm/shared/running/module';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import type { RecordType } from '../record-types/record-type';
import type { RecordImporter } from '../write/record-import';
import { createImportFileRepository } from './import-file.repository';
import { createImportWorker } from './import-worker';
import { createImportRepository } from './import.repository';
import { createImportRouter } from './import.routes';
import { createImportService } from './import.service';

export { letUploadsWait } from '../uploads/form-upload';

interface Needs {
  readonly types: readonly RecordType[];
  readonly importer: RecordImporter;
  readonly presence: Presence;
  /** The largest accepted file, in bytes. */
  readonly importMaxBytes: number;
  readonly rests: Rests;
}

const pollMilliseconds = 5_000;

/** CSV imports: the routes that accept files, and the worker that imports them. */
export function createImports(platform: Platform, needs: Needs): Module {
  const { types, importer, presence, importMaxBytes: mostBytes, rests } = needs;
  const { connection, baseUrl, logger, now } = platform;
  const imports = createImportRepository(connection);
  const files = createImportFileRepository(connection, now);
  const worker = createImportWorker({ imports, files, importer, presence, rests, logger, now, pollMilliseconds });
  const onQueued = () => worker.nudge();
  const service = createImportService({ types, importer, imports, files, mostBytes, onQueued, now });
  return {
    routes: [{ path: '/v1/import', access: 'caller', router: createImportRouter(service, baseUrl) }],
    stores: [imports, files],
    runners: [worker],
  };
}
