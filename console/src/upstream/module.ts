import type { IncomingMessage } from 'node:http';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { finished } from 'node:stream/promises';
import { idleMilliseconds } from '@itsm/shared/api/http/idle-connections';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { createFairTurns } from '@itsm/shared/base/concurrency/fair-turns';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { networkOf } from '@itsm/shared/base/ids/network';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';

/** Shorter than the deadline of the gateway before us, so that the client gets our error and not its. */
const callMilliseconds = 8_000;
/** Imports may take minutes. */
const uploadMilliseconds = 300_000;

/** Connections to the gateway; imports have separate ones, as they keep theirs for minutes. */
export const connections = { calls: 64, uploads: 128 } as const;

interface Needs {
  readonly gatewayUrl: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query string. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: IncomingMessage | string;
  /** The account whose turn it is (fair queuing); without one, the client's network. */
  readonly accountId?: string;
  /** Whether it may take minutes; other calls have 8 s. */
  readonly isUpload?: boolean;
  /** Aborts the call when the client disconnects. */
  readonly departure?: AbortSignal;
}

export type Answer = Dispatcher.ResponseData;

/** The gateway, called like any client does, on behalf of the sender of `req`. */
export interface Upstream {
  /**
   * Rejects with 503 without an answer, and with 429 when too many calls of the account wait; a refusal of the gateway
   * is an answer. The caller must read or discard the body.
   */
  send(req: IncomingMessage, call: Call): Promise<Answer>;
  close(): Promise<void>;
}

export function createUpstream({ gatewayUrl }: Needs): Upstream {
  const open = (count: number) => ({
    // Idle connections close before a gateway that stops would close them.
    pool: new Pool(new URL(gatewayUrl).origin, {
      connections: count,
      keepAliveTimeout: idleMilliseconds,
      // However long the service says that it would keep them.
      keepAliveMaxTimeout: idleMilliseconds,
      connect: { timeout: 3_000 },
    }),
    turns: createFairTurns({ limit: count }),
  });
  const [calls, uploads] = [open(connections.calls), open(connections.uploads)];
  return {
    send(req, { method, path, headers, body, accountId, isUpload = false, departure }) {
      const { pool, turns } = isUpload ? uploads : calls;
      const until = performance.now() + callMilliseconds;
      const left = (): number => Math.max(1, Math.ceil(until - performance.now()));
      const ask = (): Promise<Answer> => {
        const milliseconds = isUpload ? uploadMilliseconds : left();
        return pool.request({
          method,
          path,
          headers: Object.assign(onBehalfOf(req), headers),
          body: body ?? null,
          signal: departure,
          headersTimeout: milliseconds,
          bodyTimeout: milliseconds,
        });
      };
      const owner = accountId ?? networkOf(clientOf(req));
      return new Promise<Answer>((resolve, reject) => {
        const exchange = async (): Promise<void> => {
          const answer = await ask();
          resolve(answer);
          await finished(answer.body).catch(() => undefined);
        };
        turns
          .run(owner, exchange, { deadline: { left }, departure: () => departure })
          .catch((error: unknown) => reject(error instanceof AppError ? error : unavailable(error)));
      });
    },
    close: async () => {
      await Promise.all([calls.pool.close(), uploads.pool.close()]);
    },
  };
}

const unavailable = (cause: unknown): AppError =>
  Object.assign(new AppError('service_unavailable', 'Service Unavailable'), { cause });

/** As the gateway before us reported it. */
const clientOf = (req: IncomingMessage): string =>
  String(req.headers['x-forwarded-for'] ?? req.socket.remoteAddress ?? '');

/** The gateway accepts our statements about the client only if its settings list us as a trusted proxy. */
const passed = ['x-forwarded-for', 'x-forwarded-proto', 'user-agent', 'accept-language'];

function onBehalfOf(req: IncomingMessage): Record<string, string> {
  const given = passed.flatMap((name) => {
    const value = req.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(given), 'x-request-id': requestIdOf(req), ...traceHeader() };
}

/** The body of an answer as JSON; `undefined` when it is invalid. */
export async function jsonIn({ body }: Answer): Promise<unknown> {
  const text = await body.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
