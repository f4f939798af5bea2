import { createHash } from 'node:crypto';
import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { duringCall, presentCall } from '../../base/concurrency/present-call';
import type { Attempt } from '../../base/concurrency/present-call';
import { AppError, badRequest, validationFailed } from '../../base/errors/app-error';
import { UnknownKeyError } from '../../base/secrets/sealer';
import type { Sealer } from '../../base/secrets/sealer';
import type { Clock } from '../../base/time/clock';
import type { Logger } from '../../observing/logs/logger';
import type { IdempotentCalls, Lease } from '../../stores/idempotence/idempotent-call.repository';
import { callerOf } from '../identity/authenticate';
import { isGet } from './as-call';
import { idempotencyKeyIn, keyHeader, replayedHeader } from './idempotency-key';
import { onEnd } from './on-end';

/** An answer of more bytes is not kept. */
const longestAnswer = 64 * 1_024;
/** How many answers an account has at most, per service. */
const mostAnswers = 10_000;
/** Of a process: after so many calls with a key, the oldest answers of the caller's account are looked for. */
const pruneEvery = 100;
/** The longest body of any write. */
const longestBody = '2mb';

interface Dependencies {
  readonly calls: IdempotentCalls;
  /** Seals answers, which may have secrets. */
  readonly sealer?: Sealer | undefined;
  readonly logger: Logger;
  readonly now: Clock;
}

/** What became of a call: it was made, refused, or nobody knows. */
type Outcome = 'done' | 'refused' | 'unknown';

interface Edge {
  readonly isRead: (req: Request) => boolean;
  readonly outcomeOf: (status: number, body: Buffer) => Outcome;
}

export interface Idempotency {
  readonly rest: RequestHandler;
  /** For calls of GraphQL; `isQuery` tells those that write nothing. */
  graphql(isQuery: (req: Request) => boolean): RequestHandler;
}

/**
 * Middleware for authenticated calls: a write with an `Idempotency-Key` is made once, and a repetition gets the first
 * answer (draft-ietf-httpapi-idempotency-key-header). Refused calls are not kept.
 */
export function createIdempotency(dependencies: Dependencies): Idempotency {
  const { calls, sealer, logger, now } = dependencies;
  const readBody = express.raw({ type: () => true, limit: longestBody });
  let begun = 0;

  async function begin({ outcomeOf }: Edge, req: Request, res: Response, next: () => void): Promise<void> {
    const key = idempotencyKeyIn(req.get(keyHeader));
    const { accountId, personId, applicationId, scopes, roles } = callerOf(req);
    const rights = hashOf(scopes, roles);
    const id = hashOf(accountId, personId, applicationId, key);
    const fingerprint = hashOf(req.method, req.originalUrl, textOf(req.body));
    const claim = await calls.claim({ id, accountId, fingerprint }, now());
    if (claim.kind === 'other call') throw validationFailed([[keyHeader, 'Idempotency-Key was used for another call']]);
    if (claim.kind === 'running') throw stillRunning();
    if (claim.kind === 'answered') return replay(res, id, rights, claim.answer);
    const { lease, recordId } = claim;
    begun += 1;
    if (begun % pruneEvery === 0) await calls.prune(accountId, mostAnswers);
    let isRefused = false;
    const attempt = attemptOf(lease, recordId, () => (isRefused = true));
    onEnd(res, async (body) => {
      const outcome = isRefused ? 'refused' : outcomeOf(res.statusCode, body);
      // An earlier attempt may have made the record, so only its number keeps a later one from making another.
      const settled = outcome === 'refused' && recordId !== undefined ? 'unknown' : outcome;
      await settle(lease, settled, () => JSON.stringify({ ...answerOf(res, body), rights })).catch((error: unknown) =>
        logger.error('the answer of an idempotent call could not be kept', { accountId, error }),
      );
    });
    const call = presentCall();
    if (!call) throw new Error('an idempotent call outside of a call');
    duringCall({ ...call, attempt }, next);
  }

  function attemptOf(lease: Lease, recordId: number | undefined, refuse: () => void): Attempt {
    let isReserved = false;
    return {
      recordId,
      refuse,
      async number(draw) {
        if (isReserved) return draw();
        isReserved = true;
        if (recordId !== undefined) return recordId;
        const number = await draw();
        if (!(await calls.reserve(lease, number))) throw stillRunning();
        return number;
      },
    };
  }

  async function settle(lease: Lease, outcome: Outcome, answer: () => string): Promise<void> {
    if (outcome === 'refused') return calls.forget(lease);
    if (outcome === 'unknown') return calls.release(lease, now());
    const text = answer();
    const kept = Buffer.byteLength(text) > longestAnswer ? null : (sealer?.seal(text, contextOf(lease.id)) ?? text);
    return calls.keep(lease, kept, now());
  }

  function replay(res: Response, id: string, rights: string, kept: string | null): void {
    const text = kept === null ? undefined : opened(kept, id);
    if (text === undefined) throw new AppError('conflict', 'The call was made; its answer has not been kept');
    const { status, headers, body, rights: former } = JSON.parse(text) as Answer & { readonly rights: string };
    // It may show what the caller may not see any more, or by another token.
    if (former !== rights) throw new AppError('conflict', 'The call was made with other scopes or roles');
    res.status(status).set(headers).set(replayedHeader, 'true').end(body);
  }

  function opened(kept: string, id: string): string | undefined {
    if (!sealer) return kept;
    try {
      return sealer.open(kept, contextOf(id));
    } catch (error) {
      // Sealed with a key that has been removed since.
      if (error instanceof UnknownKeyError) return undefined;
      throw error;
    }
  }

  const handlerOf =
    (edge: Edge): RequestHandler =>
    (req, res, next) => {
      if (edge.isRead(req) || req.get(keyHeader) === undefined) next();
      // A repetition would delimit its parts by another text, and a file is not held in memory.
      else if (req.is('multipart/form-data')) next(badRequest('Idempotency-Key is not taken with a file'));
      else
        readBody(req, res, (error?: unknown) => {
          if (error === undefined) begin(edge, req, res, next).catch(next);
          else next(error);
        });
    };

  return {
    rest: handlerOf({ isRead: isGet, outcomeOf: outcomeOfStatus }),
    graphql: (isQuery) => handlerOf({ isRead: isQuery, outcomeOf: outcomeOfMutation }),
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const keptHeaders = ['Content-Type', 'Location', 'ETag', 'Cache-Control'];

function answerOf(res: Response, body: Buffer): Answer {
  const headers = keptHeaders.flatMap((name) => {
    const value = res.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { status: res.statusCode, headers: Object.fromEntries(headers), body: body.toString() };
}

const stillRunning = (): AppError =>
  new AppError('conflict', 'A call with this Idempotency-Key is still running', { headers: { 'Retry-After': '1' } });

const contextOf = (id: string): string => `idempotent call ${id}`;

const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

const textOf = (body: unknown): string =>
  Buffer.isBuffer(body) ? body.toString('base64') : JSON.stringify(body ?? '');

function outcomeOfStatus(status: number): Outcome {
  if (status < 400) return 'done';
  // A 429 may be of a read for the answer, after the write.
  return status < 500 && status !== 429 ? 'refused' : 'unknown';
}

const faults: readonly unknown[] = [
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
  'INSUFFICIENT_STORAGE',
  'TOO_MANY_CALLS',
];

/** A mutation that has a payload was made, unless its resolver says otherwise. */
function outcomeOfMutation(status: number, body: Buffer): Outcome {
  if (status >= 400) return outcomeOfStatus(status);
  const { data, errors = [] } = JSON.parse(body.toString()) as {
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[];
  };
  if (Object.values(data ?? {}).some((payload) => payload !== null)) return 'done';
  return errors.some(({ extensions }) => faults.includes(extensions?.code)) ? 'unknown' : 'refused';
}
