import type { Request, RequestHandler } from 'express';
import { addLogFact } from '../../observing/logs/log-context';
import { unauthorized } from '../../base/errors/app-error';
import type { Caller } from './caller';
import { selectAccount } from './caller';
import type { CallerVerifier } from './caller-token';

const callers = new WeakMap<Request, Caller>();

/** Authenticates the caller by the gateway's bearer JWT and `X-Service-Account`: 401, 400 or 403 otherwise. */
export const authenticate =
  (verify: CallerVerifier): RequestHandler =>
  async (req, _res, next) => {
    const token = /^Bearer ([\w.-]+)$/i.exec(req.get('authorization') ?? '')?.[1];
    if (token === undefined) throw unauthorized('Bearer');
    const caller = selectAccount(await verify(token), req.get('x-service-account'));
    callers.set(req, caller);
    addLogFact('accountId', caller.accountId);
    next();
  };

/** The account of an authenticated request as a field of its log line. */
export const accountFact = (req: Request): { readonly accountId?: string | undefined } => ({
  accountId: callers.get(req)?.accountId,
});

/** The caller of an authenticated request. */
export function callerOf(req: Request): Caller {
  const caller = callers.get(req);
  if (!caller) throw unauthorized();
  return caller;
}
