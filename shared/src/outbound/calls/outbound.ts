import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { startSystemTimer } from '../../base/time/clock';
import type { StartTimer } from '../../base/time/clock';
import { parseTarget, isReachable } from './target';
import type { RefusalReason } from './target';
import { connectSocket, secureSocket } from './connect-socket';
import { createExchange } from './exchange';
import type { Course } from './exchange';
import type { Call, Reply } from './http-connection';
import { codeOf, failureOf, failureText, refusalText } from './failure';
import type { FailureReason } from './failure';
import { createLookup } from './lookup';
import type { Lookup } from './lookup';
import { maxJsonBytes, readJson } from './json-document';
import type { JsonDocument } from './json-document';
import { createTrace } from './trace';
import type { Timings } from './trace';

export interface OutboundRequest {
  readonly method: Call['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `message` is safe for the log and the customer: it never contains the address. */
type NoAnswer =
  | { readonly kind: 'refused'; readonly because: RefusalReason; readonly message: string; readonly timings: Timings }
  | { readonly kind: 'failed'; readonly because: FailureReason; readonly message: string; readonly timings: Timings };

export type OutboundResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Whether it names another address to call: a status of RFC 9110 §15.4 that does so, with its `Location`. */
      readonly isRedirect: boolean;
      readonly retryAfter: string | undefined;
      readonly timings: Timings;
    }
  | NoAnswer;

export type JsonPost = Pick<OutboundRequest, 'headers' | 'body'>;

export type JsonResult = JsonDocument | NoAnswer;

export interface OutboundOptions {
  /** Permits http, any port and loopback addresses, for local development; private networks stay forbidden. */
  readonly allowInsecure: boolean;
  /** One deadline for name look-up, connection, TLS, headers and body. */
  readonly timeoutMilliseconds?: number;
  readonly startTimer?: StartTimer;
  readonly maxResponseBytes?: number;
  readonly lookup?: Lookup;
  /** Certificate authorities (PEM) that are trusted in addition to the public ones. */
  readonly certificateAuthorities?: readonly string[];
}

/** The only way to call addresses that customers configure: it never connects to our own network (SSRF guard). */
export interface Outbound {
  /** Network failures are results; rejects for an invalid request, or when closed in the meantime. */
  send(request: OutboundRequest): Promise<OutboundResult>;
  /**
   * Requests a JSON object of at most 256 KB within 5 s by GET or POST; redirects are not followed. Rejects only when
   * closed in the meantime.
   */
  fetchJson(url: string, post?: JsonPost): Promise<JsonResult>;
  /** Aborts calls in flight. */
  close(): void;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { allowInsecure, timeoutMilliseconds = 10_000, maxResponseBytes = 16_384, lookup = createLookup() } = options;
  const { startTimer = startSystemTimer } = options;
  const ca = options.certificateAuthorities && [...rootCertificates, ...options.certificateAuthorities];
  let closed = false;
  const underWay = new Set<AbortController>();

  const exchange = createExchange(open);

  /** The addresses of the target; undefined when one of them is forbidden. */
  async function resolve(hostname: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const addresses = isIP(hostname) === 0 ? await orAborted(lookup(hostname), signal) : [hostname];
    if (addresses.length === 0) throw Object.assign(new Error('The name has no address'), { code: 'ENODATA' });
    return addresses.every((address) => isReachable(address, allowInsecure)) ? addresses : undefined;
  }

  async function open({ target, trace, signal }: Course) {
    const { url, hostname, port } = target;
    const addresses = await trace.during('dns', resolve(hostname, signal));
    if (!addresses) return undefined;
    const socket = await trace.during('connect', connectSocket(addresses, port, signal));
    return url.protocol === 'http:' ? socket : trace.during('tls', secureSocket(socket, hostname, ca, signal));
  }

  async function attempt(address: string, call: Wanted, deadline: AbortController): Promise<Done | NoAnswer> {
    const trace = createTrace();
    const refused = (because: RefusalReason): NoAnswer => {
      return { kind: 'refused', because, message: refusalText(because), timings: trace.timings() };
    };
    const failed = (because: FailureReason, code?: string): NoAnswer => {
      return { kind: 'failed', because, message: failureText(because, code), timings: trace.timings() };
    };
    const target = parseTarget(address, allowInsecure);
    if (typeof target === 'string') return refused(target);
    try {
      const { authorization } = target;
      const headers = {
        ...call.headers,
        ...(authorization !== undefined && call.credentials && { Authorization: authorization }),
      };
      const reply = await exchange.send({ target, trace, signal: deadline.signal }, { ...call, headers });
      if (!reply) return refused('address');
      if (call.wholeBody && reply.end instanceof Error) throw reply.end;
      return { kind: 'done', reply, timings: trace.timings() };
    } catch (error) {
      if (closed) throw new Error('Outbound requests are closed', { cause: error });
      // No connection was tried yet: several silent name servers take longer than the whole deadline.
      if (deadline.signal.aborted) return failed(trace.stage === 'dns' ? 'name_server' : 'timeout');
      const because = failureOf(error, trace.stage);
      if (!because) throw error;
      return failed(because, codeOf(error));
    }
  }

  async function within(milliseconds: number, address: string, call: Wanted): Promise<Done | NoAnswer> {
    if (closed) throw new Error('Outbound requests are closed');
    const deadline = new AbortController();
    const stopTimer = startTimer(() => deadline.abort(), milliseconds);
    underWay.add(deadline);
    try {
      return await attempt(address, call, deadline);
    } finally {
      stopTimer();
      underWay.delete(deadline);
    }
  }

  return {
    async send({ url, ...request }) {
      const result = await within(timeoutMilliseconds, url, {
        ...request,
        credentials: true,
        keepAlive: true,
        mostBytes: maxResponseBytes,
        wholeBody: false,
      });
      if (result.kind !== 'done') return result;
      // Only the status counts; an incomplete body does not change it.
      const { status, headers } = result.reply;
      const isRedirect = redirects.has(status) && headers.location !== undefined;
      return { kind: 'answered', status, isRedirect, retryAfter: headers['retry-after'], timings: result.timings };
    },
    async fetchJson(url, post) {
      const result = await within(jsonMilliseconds, url, {
        method: post ? 'POST' : 'GET',
        headers: { Accept: 'application/json', ...post?.headers },
        body: post?.body ?? null,
        credentials: false,
        keepAlive: false,
        mostBytes: maxJsonBytes,
        wholeBody: true,
      });
      return result.kind === 'done' ? readJson(result.reply) : result;
    },
    close() {
      closed = true;
      underWay.forEach((deadline) => deadline.abort());
      exchange.close();
    },
  };
}

const jsonMilliseconds = 5_000;
/** Not 304, 305 and 306, which send nobody elsewhere. */
const redirects = new Set([300, 301, 302, 303, 307, 308]);

interface Wanted extends Omit<Call, 'path'> {
  /** Whether credentials in the URL are sent. */
  readonly credentials: boolean;
  /** Whether an answer with a truncated body is a failure. */
  readonly wholeBody: boolean;
}

interface Done {
  readonly kind: 'done';
  readonly reply: Reply;
  readonly timings: Timings;
}

/** A look-up cannot be cancelled; its result is ignored after the deadline. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error('aborted'));
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
