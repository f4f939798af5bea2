import type { Module, Platform } from '@itsm/shared/running/module';
import { startSystemTimer } from '@itsm/shared/base/time/clock';
import type { StartTimer } from '@itsm/shared/base/time/clock';
import type { Directory } from '../directory/module';
import type { Reading } from '../read/module';
import type { RecordType } from '../record-types/record-type';
import type { Store } from '../store/module';
import { createExportTurnRepository } from './export-turn.repository';
import { createExportedPeople } from './exported-people';
import { createExportedRecords } from './exported-records';
import { createExportRouter } from './export.routes';
import { createExportService } from './export.service';

/** What tests give instead of the usual. */
export interface ExportOptions {
  /** Ends downloads whose client takes nothing; default: by the clock of the system. */
  readonly exportTimer?: StartTimer | undefined;
}

interface Needs extends ExportOptions {
  readonly types: readonly RecordType[];
  readonly directory: Pick<Directory, 'listed'>;
  readonly store: Pick<Store, 'repositoryOf'>;
  readonly reading: Pick<Reading, 'readerOf'>;
}

/** CSV exports: the routes, and the archives that they answer. */
export function createExports(
  { connection, baseUrl, logger, now }: Platform,
  { types, directory, store, reading, exportTimer: startTimer = startSystemTimer }: Needs,
): Module {
  const turns = createExportTurnRepository(connection);
  const reads = { repositoryOf: store.repositoryOf, readerOf: reading.readerOf };
  const exported = [...types.map((type) => createExportedRecords(type, reads)), createExportedPeople(directory.listed)];
  const service = createExportService({ types: exported, turns, logger, now });
  return {
    routes: [{ path: '/v1/export', access: 'caller', router: createExportRouter(service, baseUrl, startTimer) }],
  };
}
