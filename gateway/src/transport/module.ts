import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { createHttp } from '@itsm/shared/api/http/create-http';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { App } from '@itsm/shared/running/app';
import type { Module, Platform } from '@itsm/shared/running/module';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createBodies } from './bodies';
import type { Bodies } from './bodies';
import type { Timer } from './body-pace';
import { limitConnections } from './connections';
import type { mostConnections } from './connections';
import { createCors } from './cors';
import type { Cors } from './cors';
import { checkTarget, createHosts, createOrigins, targetAt } from './hosts';
import type { Addresses, Place } from './hosts';
import { checkSecure, createPeers } from './peers';
import type { Peers } from './peers';
import { createUpstreams } from './upstreams';
import type { ServiceName, Upstreams } from './upstreams';

/** What a test makes smaller, or passes as it likes. */
export interface Bounds {
  /** By which the pace of bodies is measured; without one by the time of the machine. */
  readonly timer?: Timer;
  readonly connections?: typeof mostConnections;
}

/** What every module of the gateway may use; anything else it names as its needs. */
export interface GatewayPlatform extends Pick<Platform, 'baseUrl' | 'logger' | 'now'> {
  readonly coordination: Coordination;
  /** After which a call is answered, whatever the services do. */
  readonly callMilliseconds: number;
}

interface Needs {
  readonly bounds: Bounds | undefined;
  readonly settings: Addresses & {
    readonly services: Readonly<Record<ServiceName, string>>;
    readonly trustedProxies: readonly string[];
    readonly allowPlainHttp: boolean;
    readonly corsOrigins: readonly string[];
  };
}

/** It needs nothing of Express. */
export type Step = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

export interface Transport extends Module {
  readonly guard: NonNullable<App['guard']>;
  readonly upstreams: Upstreams;
  readonly bodies: Bodies;
  readonly peers: Peers;
  readonly cors: Cors;
  readonly log: Step;
  /** Sets the security headers that every answer has, JSON included. */
  readonly setSafeHeaders: Step;
  readonly requireSecure: Step;
  /** An app whose requests are logged and have one reading of their address before `mount` routes them. */
  openHttp(mount: (http: Express) => void): Express;
  placeOf(req: IncomingMessage): Place;
  /** The public URL that the client requested, without query. Its origin is one of the platform's, whatever `Host` the request names. */
  readonly addressOf: (req: IncomingMessage) => string;
  /** The target at BASE_URL's host, if there is one; it may be ambiguous. */
  targetOf(req: IncomingMessage): string | undefined;
}

export function createTransport(
  { logger, now, callMilliseconds }: GatewayPlatform,
  { settings, bounds }: Needs,
): Transport {
  const upstreams = createUpstreams(settings.services, callMilliseconds);
  const peers = createPeers(settings.trustedProxies, settings.allowPlainHttp);
  const cors = createCors(settings.corsOrigins);
  const hosts = createHosts(settings);
  const placeOf = (req: IncomingMessage): Place => hosts(peers.host(req));
  const originOf = createOrigins(settings);
  const log = logRequests(logger, now);
  const setSafeHeaders: Step = (req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    // Over plain http it has no meaning (RFC 6797 §7.2).
    if (peers.isHttps(req)) res.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
  /** Goes on with the target at BASE_URL's host; where there is none, nothing is answered. */
  const readTarget: Step = (req, _res, next) => {
    req.url = checkTarget(placeOf(req), req.url ?? '');
    next();
  };
  const answerCors: Step = (req, res, next) => {
    if (!cors.answer(req, res)) next();
  };
  return {
    guard: (server) => limitConnections(server, peers, bounds?.connections),
    upstreams,
    bodies: createBodies(bounds?.timer),
    peers,
    cors,
    log,
    setSafeHeaders,
    openHttp: (mount) =>
      createHttp(
        logger,
        (http) => {
          http.disable('etag');
          // First the line in the log, so that refusals have one. Nothing reads an address before it has one reading only.
          http.use(log, setSafeHeaders, readTarget, answerCors);
          mount(http);
        },
        (req) => peers.isTrusted(req),
      ),
    requireSecure(req, _res, next) {
      checkSecure(peers, req);
      next();
    },
    placeOf,
    addressOf: (req) => `${originOf(peers.host(req))}${givenTarget(req).split('?', 1)[0]}`,
    targetOf: (req) => targetAt(placeOf(req), req.url ?? ''),
    runners: [{ stop: () => upstreams.close() }],
  };
}

/** The request target as it came, before `readTarget` rewrote it. */
const givenTarget = (req: IncomingMessage & { readonly originalUrl?: string }): string =>
  req.originalUrl ?? req.url ?? '';

/** One line for each request when it is over; the query is left out, it may hold codes. */
const logRequests =
  (logger: Logger, now: Clock): Step =>
  (req, res, next) => {
    const started = now().getTime();
    const { method, url = '' } = req;
    const [path] = url.split('?', 1);
    res.once('close', () => {
      logger.info('request', {
        requestId: requestIdOf(req),
        method,
        path,
        status: res.statusCode,
        finished: res.writableFinished,
        milliseconds: now().getTime() - started,
      });
    });
    next();
  };
