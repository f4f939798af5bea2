import { presentCall } from '../../base/concurrency/present-call';
import { AppError } from '../../base/errors/app-error';

/** SDL of the payload members that all mutations share. */
export const mutationTypeDefs = /* GraphQL */ `
  "Why a mutation did nothing."
  type ValidationError @shareable {
    message: String!
    "The member of the input that was refused."
    path: [String!]!
  }
`;

export interface MutationInput {
  readonly clientMutationId?: string | null;
}

export interface MutationArgs<Input extends MutationInput> {
  readonly input: Input;
}

/**
 * Runs `change` with the input and presents the result as a payload: validation errors become `errors`, anything else
 * is an error of the call.
 */
export async function toPayload<Input extends MutationInput, Result extends object>(
  { clientMutationId, ...input }: Input,
  change: (input: Omit<Input, 'clientMutationId'>) => Promise<Result>,
) {
  try {
    return { ...(await change(input)), errors: [], clientMutationId };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    presentCall()?.attempt?.refuse();
    const errors = (error.details.errors ?? []).map(([field, message]) => ({
      message,
      path: field === '' ? [] : field.split('.'),
    }));
    return { errors, clientMutationId };
  }
}
