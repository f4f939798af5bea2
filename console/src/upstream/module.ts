import type { IncomingMessage } from 'node:http';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';

/** A timeout below that of the gateway before us, so that the client gets our error and not its. */
const callMilliseconds = 8_000;

interface Needs {
  readonly gatewayUrl: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: IncomingMessage | string;
  /** How long the gateway may be silent; 8 s unless given. */
  readonly milliseconds?: number | undefined;
  /** Ends the call when nobody waits for it any more. */
  readonly departure?: AbortSignal;
}

export type Answer = Dispatcher.ResponseData;

/** The gateway, called as any client calls it, on behalf of the sender of `req`. */
export interface Upstream {
  /** Rejects with 503 when there is no answer; a refusal of the gateway is an answer. */
  send(req: IncomingMessage, call: Call): Promise<Answer>;
  close(): Promise<void>;
}

export function createUpstream({ gatewayUrl }: Needs): Upstream {
  // Idle connections go before the gateway would close them.
  const pool = new Pool(new URL(gatewayUrl).origin, {
    connections: 64,
    keepAliveTimeout: 20_000,
    keepAliveMaxTimeout: 30_000,
    connect: { timeout: 3_000 },
  });
  return {
    async send(req, { method, path, headers, body, milliseconds = callMilliseconds, departure }) {
      try {
        return await pool.request({
          method,
          path,
          headers: { ...onBehalfOf(req), ...headers },
          body: body ?? null,
          signal: departure,
          headersTimeout: milliseconds,
          bodyTimeout: milliseconds,
        });
      } catch (error) {
        throw Object.assign(new AppError('service_unavailable', 'Service Unavailable'), { cause: error });
      }
    },
    close: () => pool.close(),
  };
}

/** The gateway trusts what we say about the client as far as its settings name us among its proxies. */
const passed = ['x-forwarded-for', 'x-forwarded-proto', 'user-agent', 'accept-language'];

function onBehalfOf(req: IncomingMessage): Record<string, string> {
  const given = passed.flatMap((name) => {
    const value = req.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(given), 'x-request-id': requestIdOf(req), ...traceHeader() };
}

/** The body of an answer as JSON; `undefined` when it is none. */
export async function jsonIn({ body }: Answer): Promise<unknown> {
  const text = await body.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
