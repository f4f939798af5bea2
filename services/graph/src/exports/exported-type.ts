import type { Caller } from '@itsm/shared/api/identity/caller';
import type { RecordKindName } from '@itsm/shared/contracts/record-kinds';
import type { Export } from './export';

/** Does one read of an export, with a time limit of its own. */
export type Read = <T>(work: () => Promise<T>) => Promise<T>;

/** A type of which an export has a file. */
export interface ExportedType {
  readonly name: RecordKindName;
  /** The name of its file. */
  readonly plural: string;
  /** Throws a 403 for a caller without the scope of the list, and a 409 while it cannot be exported. */
  check(caller: Caller): Promise<void>;
  /** Whether anything of the caller's account has changed in the range. */
  hasChanges(caller: Caller, range: Pick<Export, 'from' | 'at'>): Promise<boolean>;
  /** The header line. */
  head(caller: Caller): string;
  /** The other lines, some hundred at once, in an order that no change disturbs. */
  lines(caller: Caller, range: Pick<Export, 'from' | 'at'>, read: Read): AsyncGenerator<string>;
}

/** Rows that are read at once. */
export const rowsAtOnce = 250;
