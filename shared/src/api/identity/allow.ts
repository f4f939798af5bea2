import type { RequestHandler } from 'express';
import { forbidden, insufficientScope } from '../../base/errors/app-error';
import type { Role } from '../../contracts/directory';
import { callerOf } from './authenticate';
import type { Caller } from './caller';
import { isAllowed } from '../../contracts/scopes';
import type { Action } from '../../contracts/scopes';

/** What a handler or resolver needs: an action of the token, and one of the roles if there are any. */
export interface Permission {
  readonly action: Action;
  readonly roles: readonly Role[];
}

const marks = new WeakMap<object, Permission>();

/** The declared permission of a handler or resolver. */
export const permissionOf = (handler: object): Permission | undefined => marks.get(handler);

/** The declared action of a handler or resolver; a test walks all of them and fails where one is missing. */
export const allowedAction = (handler: object): Action | undefined => permissionOf(handler)?.action;

/**
 * Throws a 403 unless the token's scopes cover `action` and, when `roles` are given, the person has one of them in the
 * account.
 */
export function checkAllowed(caller: Permitted, action: Action, roles: readonly Role[] = []): void {
  if (!isAllowed(caller.scopes, action, caller.accountId)) throw insufficientScope([action]);
  if (!hasRole(caller, roles)) throw forbidden();
}

/** Whether `checkAllowed` passes. */
export const isPermitted = (caller: Permitted, action: Action, roles: readonly Role[] = []): boolean =>
  isAllowed(caller.scopes, action, caller.accountId) && hasRole(caller, roles);

type Permitted = Pick<Caller, 'scopes' | 'accountId' | 'roles'>;

const hasRole = (caller: Pick<Caller, 'roles'>, roles: readonly Role[]): boolean =>
  roles.length === 0 || roles.some((role) => caller.roles.includes(role));

/** Whether the caller may see the names of people in records and audit lines. */
export const readsPeople = ({ scopes, accountId }: Pick<Caller, 'scopes' | 'accountId'>): boolean =>
  isAllowed(scopes, 'person:Read', accountId);

/** An Express guard: `router.post('/', allow('webhook:Create', 'account_administrator'), …)`. */
export function allow(action: Action, ...roles: readonly Role[]): RequestHandler {
  const guard: RequestHandler = (req, _res, next) => {
    checkAllowed(callerOf(req), action, roles);
    next();
  };
  return markAllowed(guard, action, roles);
}

/** Declares the permission of a handler or resolver; see `graphql/resolver.ts`. */
export function markAllowed<H extends object>(handler: H, action: Action, roles: readonly Role[] = []): H {
  marks.set(handler, { action, roles });
  return handler;
}
