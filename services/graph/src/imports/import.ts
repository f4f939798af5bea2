import type { Caller } from '@itsm/shared/api/identity/caller';
import type { ImportResults } from '@itsm/shared/contracts/imports';
import type { ReservedNumbers } from '../write/record-import';
import type { RecordKindName } from '@itsm/shared/contracts/record-kinds';
import type { Verb } from '../write/mutations';
import { presentTime } from '@itsm/shared/api/rest/timestamp';

/** The import of a CSV file, or the writes of a bulk mutation, whose items are its lines. `caller` is the sender, with their roles at that time. */
export interface Import {
  readonly id: string;
  readonly accountId: string;
  readonly caller: Caller;
  readonly type: RecordKindName;
  /** What a bulk mutation does with its items; null for a file. */
  readonly verb: Verb | null;
  /** Writes nothing: it says what the import would do. */
  readonly isDryRun: boolean;
  /** New people are mailed a link for choosing a password. */
  readonly invites: boolean;
  readonly state: 'queued' | 'processing' | 'done' | 'failed' | 'canceled';
  /** The size of the file in bytes. */
  readonly bytes: number;
  readonly results: ImportResults;
  /** The rows without a value, which are passed over. */
  readonly blank: number;
  /** The last line of the file that was processed; 0 before the first. */
  readonly line: number;
  /** The numbers reserved for the rows after `line`, which make a retry idempotent; null before the first batch and after the last. */
  readonly reserved: ReservedNumbers | null;
  /** Why the import failed as a whole; null otherwise. */
  readonly message: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const addResults = (one: ImportResults, other: ImportResults): ImportResults => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
  failures: one.failures + other.failures,
});

export const importPath = ({ id }: Pick<Import, 'id'>): string => `/v1/import/${id}`;

/** The body of `GET /v1/import/:token`; `logfile` is the URL of the failed lines, once there are any. */
export function presentImport(found: Import, baseUrl: string) {
  const { id, type, verb, state, isDryRun, invites, bytes, results, blank, line, message, createdAt, updatedAt } =
    found;
  return {
    token: id,
    type,
    bulk: verb?.toLowerCase() ?? null,
    state,
    dry_run: isDryRun,
    ...(type === 'person' && { invite: invites }),
    results,
    blank,
    line,
    bytes,
    message,
    logfile: results.failures > 0 ? `${baseUrl.replace(/\/$/, '')}${importPath(found)}/log` : null,
    created_at: presentTime(createdAt),
    updated_at: presentTime(updatedAt),
  };
}
