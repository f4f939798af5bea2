import type { Request, RequestHandler } from 'express';
import { createLoopTurns } from '../../base/concurrency/loop-turns';
import { duringCall } from '../../base/concurrency/present-call';
import { callerOf } from '../identity/authenticate';
import { departureOf, remainingTimeHeader } from './departure';

/** The default when the header is missing: the gateway's own deadline. */
const usualMilliseconds = 9_000;

const turns = createLoopTurns();

/**
 * Runs later handlers within a call (deadline, account, disconnect signal). Only reads are aborted when the client
 * disconnects: a write must finish. Concurrent calls start in separate turns of the event loop, round-robin over
 * accounts, since parsing and validating dozens at once would block it for 100 ms.
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
