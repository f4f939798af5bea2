import { request as requestHttp } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions, ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { AppError, statusOf } from '@itsm/shared/base/errors/app-error';
import { departureOf, remainingTimeHeader } from '@itsm/shared/api/http/departure';
import { networkRefusalHeader } from '@itsm/shared/api/http/network-refusal';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Bodies } from '../transport/bodies';
import { deadlineIn } from '../transport/deadline';
import type { Deadline } from '../transport/deadline';
import { mayRepeat } from '../transport/retry-once';
import type { Way } from '../transport/upstreams';
import { holdBody } from './held-body';
import { hopByHop } from './proxy-headers';

export interface ProxiedService {
  readonly name: string;
  readonly origin: string;
  /** The connections to it. */
  wayFor(isUpload: boolean): Way;
}

export interface Passage {
  /** The target at the service. */
  readonly target: string;
  /** The account or the network in whose turn it is passed on. */
  readonly owner: string;
  /** Bytes of body that are passed on at most. */
  readonly bodyLimit: number;
  /** Bytes of body that are held back. */
  readonly holdLimit: number;
  /** Whether the body goes on as it comes; others are held back until they are complete, or longer than `holdLimit`. */
  readonly isUpload: boolean;
  /** Time in which the body is held back is the client's. */
  readonly deadline: Deadline;
  /** Runs before the answer with these headers is passed back. */
  readonly beforeAnswer: (headers: IncomingHttpHeaders) => Promise<void>;
}

/** Passes a request on to its service and the answer back. */
export type ServiceProxy = (req: IncomingMessage, res: ServerResponse, passage: Passage) => Promise<void>;

export interface ProxySettings {
  readonly bodies: Bodies;
  readonly logger: Logger;
}

/** One request, while its body comes and is passed on. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Ends it, with an answer if there is none yet. */
  fail: (error: Error) => void;
}

/** Passes bodies on in both directions, unparsed; silence for as long as the call has left ends the attempt. */
export function createServiceProxy(service: ProxiedService, { bodies, logger }: ProxySettings): ServiceProxy {
  const { hostname, port, protocol, host } = new URL(service.origin);
  const open = protocol === 'https:' ? requestHttps : requestHttp;

  /** Resolves when the answer is over, and with it the use of a connection. */
  function exchange(
    call: Exchange,
    body: Readable,
    {
      target,
      beforeAnswer,
      agent,
      deadline,
    }: Pick<Passage, 'target' | 'beforeAnswer' | 'deadline'> & Pick<Way, 'agent'>,
  ): Promise<void> {
    const { req, res } = call;
    const options = (): RequestOptions => ({
      // Of an address in brackets only what is between them is looked up.
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: target,
      method: req.method,
      headers: { ...req.headers, host, [remainingTimeHeader]: String(deadline.left()) },
      agent,
      timeout: deadline.left(),
    });
    let outgoing = open(options());
    let isRepeatable = isBareRead(req);
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
      const refused = error instanceof AppError ? error : undefined;
      if (!refused)
        logger.warn('service out of reach', { to: service.name, requestId: requestIdOf(req), error: error.message });
      sendFailure(res, error);
    };
    const listen = (): void => {
      const current = outgoing;
      current.on('timeout', () => current.destroy(silent()));
      current.on('error', (error) => call.fail(error));
      current.on('response', (answer) => {
        answer.on('error', (error) => call.fail(error));
        void beforeAnswer(answer.headers).then(() => {
          if (!res.headersSent && !res.destroyed) passBack(answer, res);
        });
      });
    };
    listen();
    body.pipe(outgoing);
    return new Promise((resolve) =>
      res.once('close', () => {
        outgoing.destroy();
        resolve();
      }),
    );
  }

  return async (req, res, { bodyLimit, holdLimit, isUpload, owner, ...passage }) => {
    if (Number(req.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
    const call: Exchange = { req, res, fail: (error) => sendFailure(res, error) };
    // What it brings is read when it is its turn.
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
      isOver() ? Promise.resolve() : exchange(call, body, { ...passage, agent, deadline });
    await turns.run(owner, begin, { deadline, departure: () => departureOf(res) }).catch((error: unknown) => {
      // It has been answered while it waited, or nobody waits any more.
      if (!isOver()) throw error;
    });
    if (body !== req) body.destroy();
  };
}

/** Asked twice it does no harm, and there is no body that has been streamed away. */
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

/** The connection to the service is not the connection to the client. */
function passBack(answer: IncomingMessage, res: ServerResponse): void {
  const named = (answer.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const ended = new Set([...hopByHop, 'transfer-encoding', networkRefusalHeader, ...named]);
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value === undefined || ended.has(name)) continue;
    if (name === 'vary') res.appendHeader(name, value);
    else res.setHeader(name, value);
  }
  res.writeHead(answer.statusCode ?? 502, answer.statusMessage);
  answer.pipe(res);
}

/** Who does not answer is out of reach; that it may be asked again is not said. */
const silent = (): Error => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

const outOfReach = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

function sendFailure(res: ServerResponse, error: Error): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const refused = failureOf(error);
  res.statusCode = statusOf[refused.code];
  for (const [name, value] of Object.entries(refused.details.headers ?? {})) res.setHeader(name, value);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(JSON.stringify({ message: refused.message }));
}

function failureOf(error: Error): AppError {
  if (error instanceof AppError) return error;
  const unavailable = 'code' in error && outOfReach.has(String(error.code));
  return unavailable
    ? new AppError('service_unavailable', 'Service Unavailable')
    : new AppError('bad_gateway', 'Bad Gateway');
}
