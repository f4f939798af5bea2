import type { Reach, Slot } from './slots';

export interface OperatorContext {
  readonly path: string;
  readonly now: Date;
}

/** An update operator. Values are typed (see `decodeTyped`). */
export interface UpdateOperator {
  readonly reach: Reach;
  /** Validates an operand before any document is read. */
  readonly check?: (operand: unknown) => void;
  apply(slot: Slot, operand: unknown, context: OperatorContext): void;
}
