import type { Slot } from './slots';

export interface OperatorContext {
  readonly path: string;
  readonly now: Date;
}

/** One update operator. Values are typed (see `decodeTyped`). */
export interface UpdateOperator {
  /** Does it make the parents of its field when they are missing? */
  readonly creates: boolean;
  apply(slot: Slot, operand: unknown, context: OperatorContext): void;
}
