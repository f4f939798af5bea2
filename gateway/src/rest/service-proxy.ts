import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions, ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { departureOf, remainingTimeHeader } from '@itsm/shared/api/http/departure';
import { networkRefusalHeader } from '@itsm/shared/api/http/network-refusal';
import { serviceTimeHeader } from '@itsm/shared/observing/metrics/clock-skew';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Bodies } from '../transport/bodies';
import { beginFetch, recordOf } from '../transport/call-record';
import type { Compression } from '../transport/compression';
import { deadlineIn } from '../transport/deadline';
import type { Deadline } from '../transport/deadline';
import { mayRepeat } from '../transport/retry-once';
import type { ServiceName, Way } from '../transport/upstreams';
import { holdBody } from './held-body';
import { hopByHop } from './proxy-headers';

export interface ProxiedService {
  readonly name: ServiceName | 'console';
  readonly origin: string;
  /** The connections to the service: those for uploads, or the others. */
  wayFor(isUpload: boolean): Way;
}

export interface Passage {
  /** The request target at the service. */
  readonly target: string;
  /** The account or network that the request is queued for (fair queuing). */
  readonly owner: string;
  /** In bytes; a longer body is 413. */
  readonly bodyLimit: number;
  /** Bytes of the body that are buffered at most. */
  readonly holdLimit: number;
  /** Whether the body is streamed at once; others are buffered until complete, or longer than `holdLimit`. */
  readonly isUpload: boolean;
  /** Whether the answer may be compressed. */
  readonly isCompressed: boolean;
  /** It excludes the time in which the body is buffered, since that depends on the client. */
  readonly deadline: Deadline;
  /** Answers a failure; the response has not started. */
  readonly refuse: (refused: AppError) => void;
  /** Runs with the head of the answer, before it is passed back; what it throws is answered instead. */
  readonly beforeAnswer: (answer: IncomingMessage) => Promise<void>;
}

/** Proxies one request to its service. */
export type ServiceProxy = (req: IncomingMessage, res: ServerResponse, passage: Passage) => Promise<void>;

export interface ProxySettings {
  readonly bodies: Bodies;
  readonly compression: Compression;
  readonly logger: Logger;
  readonly now: Clock;
}

/** One proxied request in progress. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly refuse: Passage['refuse'];
  /** Aborts it, with an error response if none was sent. */
  fail: (error: Error) => void;
}

/** Streams bodies in both directions, unparsed; an attempt times out after the time that the call has left. */
export function createServiceProxy(
  service: ProxiedService,
  { bodies, compression, logger, now }: ProxySettings,
): ServiceProxy {
  const { hostname, port, protocol, host } = new URL(service.origin);
  const open = protocol === 'https:' ? requestHttps : requestHttp;

  /** Resolves when the response is closed, which frees the connection. */
  function exchange(
    call: Exchange,
    body: Readable,
    {
      target,
      beforeAnswer,
      isUpload,
      isCompressed,
      agent,
      deadline,
    }: Pick<Passage, 'target' | 'beforeAnswer' | 'isUpload' | 'isCompressed' | 'deadline'> & Pick<Way, 'agent'>,
  ): Promise<void> {
    const { req, res, refuse } = call;
    const options = (): RequestOptions => ({
      // `hostname` takes IPv6 addresses without brackets.
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: target,
      method: req.method,
      // A service that refuses an upload does so before it is sent.
      headers: {
        ...req.headers,
        host,
        [remainingTimeHeader]: String(deadline.left()),
        ...(isUpload && { expect: '100-continue' }),
      },
      agent,
      timeout: deadline.left(),
    });
    let outgoing = open(options());
    let isRepeatable = isBareRead(req);
    // Until the head of the answer: the rest of it waits for the client.
    const endFetch = beginFetch(recordOf(req), service.name, now);
    call.fail = (error) => {
      outgoing.destroy();
      body.unpipe(outgoing);
      body.resume();
      if (res.destroyed) return;
      if (isRepeatable && !res.headersSent && mayRepeat(error, true)) {
        isRepeatable = false;
        outgoing = open(options());
        listen();
        outgoing.end();
        return;
      }
      endFetch();
      const refused = error instanceof AppError ? error : undefined;
      if (!refused)
        logger.warn('service out of reach', { to: service.name, requestId: requestIdOf(req), error: error.message });
      sendFailure(res, error, refuse);
    };
    const listen = (): void => {
      const current = outgoing;
      current.on('timeout', () => current.destroy(silent()));
      current.on('error', (error) => call.fail(error));
      current.on('response', (answer) => {
        endFetch();
        answer.on('error', (error) => call.fail(error));
        beforeAnswer(answer).then(
          () => {
            if (res.headersSent || res.destroyed) return;
            const writeHead = (): void => copyHead(answer, res);
            if (isUpload && !req.complete) {
              writeHead();
              answerEarly(req, res, answer);
            } else if (isCompressed) {
              // The answer itself reports that it broke off.
              compression.pass(req, res, answer, writeHead).catch(() => undefined);
            } else {
              writeHead();
              answer.pipe(res);
            }
          },
          (error: Error) => {
            isRepeatable = false;
            answer.resume();
            call.fail(error);
          },
        );
      });
    };
    listen();
    if (isUpload) onceWanted(outgoing, deadline, () => body.pipe(outgoing));
    else body.pipe(outgoing);
    return new Promise((resolve) =>
      res.once('close', () => {
        outgoing.destroy();
        resolve();
      }),
    );
  }

  return async (req, res, { bodyLimit, holdLimit, isUpload, owner, refuse, ...passage }) => {
    if (Number(req.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
    const call: Exchange = { req, res, refuse, fail: (error) => sendFailure(res, error, refuse) };
    // An upload is not read before it has a connection.
    if (isUpload) req.pause();
    countBody(req, bodyLimit, () => call.fail(tooLarge()));
    bodies.watchPace(req, (error) => call.fail(error));
    const left = passage.deadline.left();
    const body =
      isUpload || isBareRead(req) ? req : await holdBody(req, { most: holdLimit, held: bodies.held.open(owner) });
    const isOver = (): boolean => res.headersSent || res.destroyed;
    if (!body || isOver()) {
      body?.destroy();
      return;
    }
    const deadline = deadlineIn(left);
    const { agent, turns } = service.wayFor(isUpload);
    const begin = (): Promise<void> =>
      isOver() ? Promise.resolve() : exchange(call, body, { ...passage, isUpload, agent, deadline });
    await turns.run(owner, begin, { deadline, departure: () => departureOf(res) }).catch((error: unknown) => {
      // Already answered while it was queued, or the client disconnected.
      if (!isOver()) throw error;
    });
    if (body !== req) body.destroy();
  };
}

/** Safe to retry: an idempotent method without a body that has been consumed. */
const isBareRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && Number(headers['content-length'] ?? 0) === 0;

const tooLarge = (): AppError => new AppError('payload_too_large', 'Payload Too Large');

function countBody(req: IncomingMessage, limit: number, exceeded: () => void): void {
  let length = 0;
  const count = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= limit) return;
    req.off('data', count);
    exceeded();
  };
  req.on('data', count);
}

/** Of the time of a call, this part a service may take to ask for an upload. */
const askingPart = 1 / 20;

/** Sends the body when the service asks for it. One that says nothing may not know how (RFC 9110 §10.1.1). */
function onceWanted(outgoing: ClientRequest, deadline: Deadline, send: () => void): void {
  const begin = (): void => {
    end();
    outgoing.off('continue', begin);
    send();
  };
  const timer = setTimeout(begin, deadline.left() * askingPart);
  const end = (): void => clearTimeout(timer);
  outgoing.once('continue', begin).once('response', end).once('close', end);
}

/** So long a client has time to see that its upload is not wanted. */
const noticeMilliseconds = 500;

/**
 * Passes back an answer that comes before the end of the body. A client that reads it closes the connection. One that
 * sends everything before it reads would lose it if we closed, so what still comes is read and thrown away.
 */
function answerEarly(req: IncomingMessage, res: ServerResponse, answer: IncomingMessage): void {
  res.setHeader('Connection', 'close');
  answer.pipe(res, { end: false });
  const end = (): void => {
    if (answer.readableEnded && req.readableEnded) res.end();
  };
  // The rest may come, and go to the service, before the notice is over.
  req.once('end', end);
  answer.once('end', () => {
    const timer = setTimeout(() => req.unpipe().resume(), noticeMilliseconds);
    res.once('close', () => clearTimeout(timer));
    end();
  });
}

/** Hop-by-hop headers of the service's connection do not apply to the client's. */
function copyHead(answer: IncomingMessage, res: ServerResponse): void {
  const named = (answer.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const ended = new Set([...hopByHop, 'transfer-encoding', networkRefusalHeader, serviceTimeHeader, ...named]);
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value === undefined || ended.has(name)) continue;
    if (name === 'vary') res.appendHeader(name, value);
    else res.setHeader(name, value);
  }
  res.statusCode = answer.statusCode ?? 502;
  res.statusMessage = answer.statusMessage ?? '';
}

/** A timeout counts as unreachable, without `Retry-After`. */
const silent = (): Error => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

const outOfReach = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

function sendFailure(res: ServerResponse, error: Error, refuse: Passage['refuse']): void {
  if (res.headersSent) res.destroy();
  else refuse(failureOf(error));
}

function failureOf(error: Error): AppError {
  if (error instanceof AppError) return error;
  const unavailable = 'code' in error && outOfReach.has(String(error.code));
  return unavailable
    ? new AppError('service_unavailable', 'Service Unavailable')
    : new AppError('bad_gateway', 'Bad Gateway');
}
