import type { Module, Platform } from '@itsm/shared/running/module';
import type { Reading } from '../read/module';
import type { RecordType } from '../record-types/record-type';
import type { Store } from '../store/module';
import { createExportTurnRepository } from './export-turn.repository';
import { createExportRouter } from './export.routes';
import { createExportService } from './export.service';

interface Needs {
  readonly types: readonly RecordType[];
  readonly store: Pick<Store, 'repositoryOf'>;
  readonly reading: Pick<Reading, 'readerOf'>;
}

/** CSV exports: the routes, and the archives that they answer. */
export function createExports(
  { connection, baseUrl, logger, now }: Platform,
  { types, store, reading }: Needs,
): Module {
  const turns = createExportTurnRepository(connection);
  const { repositoryOf } = store;
  const service = createExportService({ types, repositoryOf, readerOf: reading.readerOf, turns, logger, now });
  return { routes: [{ path: '/v1/export', access: 'caller', router: createExportRouter(service, baseUrl) }] };
}
