import { AppError, validationFailed } from '../../base/errors/app-error';
import { parseRecordId, requireRecordId, toNodeId } from '../../base/ids/node-id';
import type { Role } from '../../contracts/directory';
import type { Action } from '../../contracts/scopes';
import type { Caller } from '../identity/caller';
import { toPayload } from './mutation-payload';
import type { MutationArgs, MutationInput } from './mutation-payload';
import { allowed } from './resolver';

export type IdInput = MutationInput & { readonly id: string };

/** Input members whose names differ: GraphQL name → REST name. */
type RestNames = Readonly<Record<string, string>>;

/** Resolvers of `idFields`. */
export const numberedIds = (nodeIdDomain: string, type: string) => ({
  id: ({ id }: { readonly id: number }) => toNodeId(nodeIdDomain, type, id),
  number: ({ id }: { readonly id: number }) => id,
});

/** The result of `find`; null when it throws "Not Found". */
export async function orNull<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Translates member names in a refusal by `work` from REST to GraphQL. */
async function withGraphqlNames<T>(restNames: RestNames, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors) throw error;
    const nameOf = (path: string): string => {
      const [member, ...rest] = path.split('.');
      return [Object.keys(restNames).find((name) => restNames[name] === member) ?? member, ...rest].join('.');
    };
    throw validationFailed(error.details.errors.map(([field, text]) => [nameOf(field), text]));
  }
}

/** Resolver helpers for the types that account administrators manage. */
export function nodeResolvers({ type, nodeIdDomain, restNames }: NodeType) {
  const parseId = (text: string): number | undefined => parseRecordId(nodeIdDomain, type, text);
  return {
    /** Undefined for an invalid id or one of another type. */
    parseId,
    /** Throws "Not Found" for an invalid id or one of another type. */
    idOf: (text: string): number => requireRecordId(nodeIdDomain, type, text),
    /** Async, because a synchronous throw would fail all other references of the call. */
    load: async <T>(text: string, find: (id: number) => Promise<T>): Promise<T | null> => {
      const id = parseId(text);
      return id === undefined ? null : orNull(() => find(id));
    },
    mutation: <Input extends MutationInput>(
      action: Action,
      change: (input: Omit<Input, 'clientMutationId'>, caller: Caller) => Promise<object>,
      roles: readonly Role[] = ['account_administrator'],
    ) =>
      allowed<MutationArgs<Input>>(
        action,
        (_parent, { input }, { caller }) =>
          toPayload(input, (members) => withGraphqlNames(restNames, () => change(members, caller))),
        ...roles,
      ),
  };
}

interface NodeType {
  /** The type's name in node ids. */
  readonly type: string;
  readonly nodeIdDomain: string;
  readonly restNames: RestNames;
}
