import { codeOf } from './error-codes';
import type { ErrorName } from './error-codes';

/** An error reply to the client, with MongoDB's code, code name and any extra fields of the reply. */
export class CommandError extends Error {
  readonly codeName: ErrorName;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(codeName: ErrorName, message: string, facts: Record<string, unknown> = {}) {
    super(message);
    this.name = 'CommandError';
    this.codeName = codeName;
    this.facts = facts;
  }

  get code(): number {
    return codeOf(this.codeName);
  }
}

/** Converts any thrown value to an error reply. */
export function toCommandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // mingo reports wrong queries and pipelines as plain errors whose class it does not export.
  if (error.constructor.name === 'MingoError' || error instanceof SyntaxError)
    return new CommandError('BadValue', error.message);
  if (error.name === 'BSONError' || error.name === 'BSONOffsetError')
    return new CommandError('InvalidBSON', error.message);
  return new CommandError('InternalError', error.message);
}
