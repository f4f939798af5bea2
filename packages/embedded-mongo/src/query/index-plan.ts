import type { CollectionIndex } from '../storage/collection-index';
import type { KeyRange } from './key-ranges';

export interface IndexPlan {
  readonly kind: 'index';
  readonly index: CollectionIndex;
  readonly ranges: readonly KeyRange[];
  readonly reverse: boolean;
  /** True if the index gives the records in sort order. */
  readonly sorted: boolean;
  /** True if every record in the ranges matches the filter, so that the matcher is not needed. */
  readonly proves: boolean;
}

export type Candidate = IndexPlan & {
  readonly score: number;
  /** Number of leading index fields that the constraints narrow. */
  readonly constrained: number;
};
