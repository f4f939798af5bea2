import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { systemClock } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import type { Connection } from 'mongoose';
import { createDirectory } from '../directory/module';
import { createForms } from '../forms/module';
import type { ImportRow } from '@itsm/shared/declared/file-rows';
import type { ReservedNumbers } from '../write/record-import';
import type { RecordType } from '../record-types/record-type';
import { createRecords } from '../create-records';
import type { Records } from '../create-records';
import { baseUrl, nodeIdDomain } from './start-graph';

/** The record engine on its own connection, beside a running service; it sends no messages. */
export function createEngine(connection: Connection, types?: readonly RecordType[], now = systemClock): Records {
  const platform = { connection, logger: silentLogger, now, baseUrl, nodeIdDomain };
  const nudge = () => undefined;
  const presence = createPresence({ connection, logger: silentLogger });
  return createRecords(platform, {
    directory: createDirectory(platform),
    forms: createForms(platform),
    presence,
    nudge,
    types,
  });
}

/** An importer on behalf of a specialist of `wdc`; with the clock of a service, which sends what it leaves. */
export function createImporter(connection: Connection, now?: Clock) {
  const { importer } = createEngine(connection, undefined, now).writing;
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
  accounts: { wdc: ['specialist' as const] },
  scopes: [{ effect: 'allow' as const, actions: ['*:*'] }],
  kind: 'personal' as const,
  applicationId: null,
  locale: 'en',
  timeZone: 'UTC',
  authenticatedAt: undefined,
};
