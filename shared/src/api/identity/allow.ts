import type { RequestHandler } from 'express';
import { forbidden } from '../../base/errors/app-error';
import type { Role } from '../../contracts/directory';
import { callerOf } from './authenticate';
import type { Caller } from './caller';
import { isAllowed } from '../../contracts/scopes';
import type { Action } from '../../contracts/scopes';

const marks = new WeakMap<object, Action>();

/** The declared action of a handler or resolver; a test walks all of them and fails where one is missing. */
export const allowedAction = (handler: object): Action | undefined => marks.get(handler);

/**
 * Throws a 403 unless the token's scopes cover `action` and, when `roles` are given, the person has one of them in the
 * account.
 */
export function checkAllowed(caller: Caller, action: Action, roles: readonly Role[] = []): void {
  if (!isAllowed(caller.scopes, action, caller.accountId)) throw forbidden(`Missing required scope(s): ${action}`);
  if (roles.length > 0 && !roles.some((role) => caller.roles.includes(role))) throw forbidden();
}

/** Whether the caller may see the names of people in records and audit lines. */
export const readsPeople = ({ scopes, accountId }: Pick<Caller, 'scopes' | 'accountId'>): boolean =>
  isAllowed(scopes, 'person:Read', accountId);

/** An Express guard: `router.post('/', allow('webhook:Create', 'account_administrator'), …)`. */
export function allow(action: Action, ...roles: readonly Role[]): RequestHandler {
  const guard: RequestHandler = (req, _res, next) => {
    checkAllowed(callerOf(req), action, roles);
    next();
  };
  marks.set(guard, action);
  return guard;
}

/** Declares the action of a resolver; see `graphql/resolver.ts`. */
export function markAllowed<H extends object>(handler: H, action: Action): H {
  marks.set(handler, action);
  return handler;
}
