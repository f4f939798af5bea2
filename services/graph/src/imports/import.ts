import type { Caller } from '@itsm/shared/api/identity/caller';
import type { ReservedNumbers } from '../write/record-import';
import type { RecordType } from '../record-types/record-type';
import { presentTime } from '@itsm/shared/api/rest/timestamp';

/** What a row became, and how often. */
export interface ImportResults {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failures: number;
}

/** A CSV file that is being made into records. `caller` is who sent it, with the roles of that moment. */
export interface Import {
  readonly id: string;
  readonly accountId: string;
  readonly caller: Caller;
  readonly type: RecordType['name'];
  readonly state: 'queued' | 'processing' | 'done' | 'failed';
  /** Size of the file. */
  readonly bytes: number;
  readonly results: ImportResults;
  /** The last line of the file that was handled; 0 before the first. */
  readonly line: number;
  /** The numbers for the rows after `line`, so that they can be repeated; null before the first. */
  readonly reserved: ReservedNumbers | null;
  /** Why an import failed as a whole. */
  readonly message: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A line that did not become a record; `column` where one is to blame. */
export interface ImportFailure {
  readonly line: number;
  readonly column: string | null;
  readonly message: string;
}

export const noResults: ImportResults = { created: 0, updated: 0, unchanged: 0, failures: 0 };

export const addResults = (one: ImportResults, other: ImportResults): ImportResults => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
  failures: one.failures + other.failures,
});

export const importPath = ({ id }: Pick<Import, 'id'>): string => `/v1/import/${id}`;

/** What `GET /v1/import/:token` answers; `logfile` is the address of the failed lines, once there are any. */
export function presentImport(found: Import, baseUrl: string) {
  const { id, type, state, bytes, results, line, message, createdAt, updatedAt } = found;
  return {
    token: id,
    type,
    state,
    results,
    line,
    bytes,
    message,
    logfile: results.failures > 0 ? `${baseUrl.replace(/\/$/, '')}${importPath(found)}/log` : null,
    created_at: presentTime(createdAt),
    updated_at: presentTime(updatedAt),
  };
}
