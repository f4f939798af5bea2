import type { Reach, Slot } from './slots';

export interface OperatorContext {
  readonly path: string;
  readonly now: Date;
}

/** One update operator. Values are typed (see `decodeTyped`). */
export interface UpdateOperator {
  readonly reach: Reach;
  /** Refuses an operand before any document is looked at. */
  readonly check?: (operand: unknown) => void;
  apply(slot: Slot, operand: unknown, context: OperatorContext): void;
}
