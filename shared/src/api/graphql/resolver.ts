import type { GraphQLResolveInfo } from 'graphql';
import { checkAllowed, markAllowed } from '../identity/allow';
import type { Role } from '../../contracts/directory';
import type { Action } from '../../contracts/scopes';
import type { SubgraphContext } from './context';

export type Resolver<Parent = unknown, Args = unknown> = (
  parent: Parent,
  args: Args,
  context: SubgraphContext,
  info: GraphQLResolveInfo,
) => unknown;

/**
 * A field resolver with the action it needs: `requests: allowed('request:Read', (_parent, args, { caller }) => …)`.
 * Every root field has one; the service's schema declares the action.
 */
export function allowed<Args, Parent = unknown>(
  action: Action,
  resolve: Resolver<Parent, Args>,
  ...roles: readonly Role[]
): Resolver<Parent, Args> {
  const guarded: Resolver<Parent, Args> = (parent, args, context, info) => {
    checkAllowed(context.caller, action, roles);
    return resolve(parent, args, context, info);
  };
  return markAllowed(guarded, action, roles);
}

type ReferenceResolver<Reference> = (reference: Reference, context: SubgraphContext) => Promise<unknown>;

/**
 * A `__resolveReference` that needs `action`, wherever the reference comes from. Fields of the same service that lead to
 * the type need it too; see `guard-references.ts`.
 */
export function allowedReference<Reference = { readonly id: string }>(
  action: Action,
  resolve: ReferenceResolver<Reference>,
  ...roles: readonly Role[]
): ReferenceResolver<Reference> {
  // Async, because a synchronous throw would fail all references of the call.
  const guarded: ReferenceResolver<Reference> = async (reference, context) => {
    checkAllowed(context.caller, action, roles);
    return resolve(reference, context);
  };
  return markAllowed(guarded, action, roles);
}
