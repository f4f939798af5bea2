import type { Request, RequestHandler } from 'express';
import { duringCall } from '../../base/concurrency/present-call';
import { callerOf } from '../identity/authenticate';
import { departureOf, remainingTimeHeader } from './departure';

/** A caller who says nothing gets as long as the gateway gives a call. */
const usualMilliseconds = 9_000;

/** Lets what follows know the call it is for. Only reads end with it: who changes something may leave without an answer. */
export const asCall =
  (isRead: (req: Request) => boolean): RequestHandler =>
  (req, res, next) => {
    const until = performance.now() + remainingIn(req);
    const left = (): number => Math.max(1, Math.ceil(until - performance.now()));
    const { accountId } = callerOf(req);
    duringCall({ accountId, left, ...(isRead(req) && { signal: departureOf(res) }) }, next);
  };

function remainingIn(req: Request): number {
  const given = Number(req.get(remainingTimeHeader) ?? usualMilliseconds);
  return given > 0 && given < usualMilliseconds ? given : usualMilliseconds;
}

export const isGet = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';
