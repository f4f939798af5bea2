import type { Condition } from './filter';
import type { OrderStep } from './order';
import type { SortValue } from './resource';

/**
 * Reads up to `limit` records in `order`: after the first `skip`, after the key `after`, or the last ones before the
 * key `before`.
 */
export interface CollectionRead {
  readonly order: readonly OrderStep[];
  readonly limit: number;
  readonly skip: number;
  readonly after?: readonly SortValue[];
  readonly before?: readonly SortValue[];
  /** The conditions, all of which must hold. */
  readonly filter?: readonly Condition[];
  /** The REST fields of the answer, so that a store can read less than whole records. */
  readonly fields: readonly string[];
}

/** The source of a collection, already restricted to one account. */
export interface CollectionSource<T> {
  read(query: CollectionRead): Promise<readonly T[]>;
  count(filter?: readonly Condition[]): Promise<number>;
}
