import type { Condition } from './filter';
import type { OrderStep } from './order';
import type { SortValue } from './resource';

/** Up to `limit` records in `order`: after `skip` of them, from beyond `after`, or the last ones short of `before`. */
export interface CollectionRead {
  readonly order: readonly OrderStep[];
  readonly limit: number;
  readonly skip: number;
  readonly after?: readonly SortValue[];
  readonly before?: readonly SortValue[];
  /** What the records must fulfil, all of it. */
  readonly filter?: readonly Condition[];
  /** The REST fields that will be answered, for stores that can read less than whole records. */
  readonly fields: readonly string[];
}

/** What a collection is read from, already narrowed to one account. */
export interface CollectionSource<T> {
  read(query: CollectionRead): Promise<readonly T[]>;
  count(filter?: readonly Condition[]): Promise<number>;
}
