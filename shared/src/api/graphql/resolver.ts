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

/** A root field with the action it needs: `requests: allowed('request:Read', (_parent, args, { caller }) => …)`. */
export function allowed<Args>(
  action: Action,
  resolve: Resolver<unknown, Args>,
  ...roles: readonly Role[]
): Resolver<unknown, Args> {
  return markAllowed<Resolver<unknown, Args>>((parent, args, context, info) => {
    checkAllowed(context.caller, action, roles);
    return resolve(parent, args, context, info);
  }, action);
}
