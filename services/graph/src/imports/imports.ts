import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Router } from 'express';
import type { Connection } from 'mongoose';
import type { RecordImporter } from '../write/record-import';
import type { RecordType } from '../record-types/record-type';
import { createImportFileRepository } from './import-file.repository';
import { createImportWorker } from './import-worker';
import { createImportRepository } from './import.repository';
import { createImportRouter } from './import.routes';
import { createImportService } from './import.service';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly importer: RecordImporter;
  readonly connection: Connection;
  /** Public origin, start of links. */
  readonly baseUrl: string;
  /** Largest file, in bytes. */
  readonly importMaxBytes: number;
  readonly logger: Logger;
  readonly now: Clock;
}

const pollMilliseconds = 5_000;

/** CSV imports: what takes files in, and what makes records of them. */
export interface Imports {
  /** `/v1/import`, to be mounted behind `authenticate`. */
  readonly router: Router;
  ensureIndexes(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createImports(dependencies: Dependencies): Imports {
  const { types, importer, connection, baseUrl, importMaxBytes: mostBytes, logger, now } = dependencies;
  const imports = createImportRepository(connection);
  const files = createImportFileRepository(connection, now);
  const worker = createImportWorker({ imports, files, importer, logger, now, pollMilliseconds });
  const onQueued = () => worker.nudge();
  return {
    router: createImportRouter(
      createImportService({ types, importer, imports, files, mostBytes, onQueued, now }),
      baseUrl,
    ),
    async ensureIndexes() {
      await imports.ensureIndexes();
      await files.ensureIndexes();
    },
    start: () => worker.start(),
    stop: () => worker.stop(),
  };
}
