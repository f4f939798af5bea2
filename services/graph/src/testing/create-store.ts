import { systemClock } from '@itsm/shared/base/time/clock';
import type { Connection } from 'mongoose';
import { createDirectoryRepository } from '../directory/directory.repository';
import { recordTypes } from '../record-types/all';
import type { ImportRow, ReservedNumbers } from '../write/record-import';
import type { RecordType } from '../record-types/record-type';
import { createRecords } from '../create-records';
import type { Records } from '../create-records';
import { createTrailKeeper } from '../store/trail-keeper';
import { createTrailRepository } from '../store/trail.repository';
import { baseUrl, nodeIdDomain } from './start-graph';

/** The engine on a connection of its own, beside a running service. */
export function createStore(connection: Connection): Records {
  const trails = createTrailRepository(connection);
  return createRecords({
    types: recordTypes,
    connection,
    directory: createDirectoryRepository(connection),
    trails,
    trailKeeper: createTrailKeeper(trails),
    relay: { nudge: () => undefined },
    nodeIdDomain,
    baseUrl,
    now: systemClock,
  });
}

/** The importer for a specialist of `wdc`. */
export function createImporter(connection: Connection) {
  const { importer } = createStore(connection);
  return {
    ...importer,
    importRows: (typeName: RecordType['name'], rows: readonly ImportRow[], reserved?: ReservedNumbers) =>
      importer.importRows(typeName, 'wdc', importCaller, rows, reserved),
  };
}

const importCaller = {
  personId: 2,
  name: 'Sam Specialist',
  homeAccountId: 'wdc',
  accountId: 'wdc',
  roles: ['specialist' as const],
  scopes: [{ effect: 'allow' as const, actions: ['*:*'] }],
  kind: 'personal' as const,
  applicationId: null,
  locale: 'en',
  timeZone: 'UTC',
};
