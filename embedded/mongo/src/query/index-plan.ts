import type { CollectionIndex } from '../storage/collection-index';
import type { KeyRange } from './key-ranges';

export interface IndexPlan {
  readonly kind: 'index';
  readonly index: CollectionIndex;
  readonly ranges: readonly KeyRange[];
  readonly reverse: boolean;
  /** Do the records come in the wanted order? */
  readonly sorted: boolean;
  /** Does lying in the ranges already prove the match? */
  readonly proves: boolean;
}

export type Candidate = IndexPlan & {
  readonly score: number;
  /** How many leading fields of the index the constraints narrow. */
  readonly constrained: number;
};
