import type { Request, RequestHandler } from 'express';
import { createLoopTurns } from '../../base/concurrency/loop-turns';
import { duringCall } from '../../base/concurrency/present-call';
import { callerOf } from '../identity/authenticate';
import { departureOf, remainingTimeHeader } from './departure';

/** A caller who says nothing gets as long as the gateway gives a call. */
const usualMilliseconds = 9_000;

const turns = createLoopTurns();

/**
 * Lets what follows know the call it is for. Only reads end with it: who changes something may leave without an answer.
 * Of many calls that come at one moment each begins in a turn of the event loop of its own, accounts one after the other:
 * to read and check what dozens of them ask takes a tenth of a second.
 */
export const asCall =
  (isRead: (req: Request) => boolean): RequestHandler =>
  (req, res, next) => {
    const until = performance.now() + remainingIn(req);
    const left = (): number => Math.max(1, Math.ceil(until - performance.now()));
    const { accountId } = callerOf(req);
    const call = { accountId, left, ...(isRead(req) && { signal: departureOf(res) }) };
    const begin = (): void => duringCall(call, next);
    const turn = turns.take(accountId);
    if (turn) void turn.then(begin);
    else begin();
  };

function remainingIn(req: Request): number {
  const given = Number(req.get(remainingTimeHeader) ?? usualMilliseconds);
  return given > 0 && given < usualMilliseconds ? given : usualMilliseconds;
}

export const isGet = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';
