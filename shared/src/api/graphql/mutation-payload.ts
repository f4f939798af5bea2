import { AppError } from '../../base/errors/app-error';

/** SDL of what all mutations answer with besides their record. */
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
 * The result of `change`, which gets the input itself, as a payload: `errors` names refused members of the input, anything
 * else is an error of the call.
 */
export async function toPayload<Input extends MutationInput, Result extends object>(
  { clientMutationId, ...input }: Input,
  change: (input: Omit<Input, 'clientMutationId'>) => Promise<Result>,
) {
  try {
    return { ...(await change(input)), errors: [], clientMutationId };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    const errors = (error.details.errors ?? []).map(([field, message]) => ({ message, path: field.split('.') }));
    return { errors, clientMutationId };
  }
}
