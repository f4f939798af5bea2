import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { App } from '@itsm/shared/running/app';
import type { Module, Platform } from '@itsm/shared/running/module';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { limitConnections } from './connections';
import { createCors } from './cors';
import type { Cors } from './cors';
import { checkTarget, createHosts, createOrigins, targetAt } from './hosts';
import type { Addresses, Place } from './hosts';
import { checkSecure, createPeers } from './peers';
import type { Peers } from './peers';
import { createUpstreams } from './upstreams';
import type { ServiceName, Upstreams } from './upstreams';

/** What every module of the gateway may use; anything else it names as its needs. */
export interface GatewayPlatform extends Pick<Platform, 'baseUrl' | 'logger' | 'now'> {
  readonly coordination: Coordination;
  /** After which a call is answered, whatever the services do. */
  readonly callMilliseconds: number;
}

interface Needs {
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
  readonly peers: Peers;
  readonly cors: Cors;
  readonly log: Step;
  /** Sets the security headers that every answer has, JSON included. */
  readonly setSafeHeaders: Step;
  /** Goes on with the target at BASE_URL's host; where there is none, nothing is answered. */
  readonly readTarget: Step;
  readonly answerCors: Step;
  readonly requireSecure: Step;
  placeOf(req: IncomingMessage): Place;
  /** The public URL that the client requested, without query. Its origin is one of the platform's, whatever `Host` the request names. */
  readonly addressOf: (req: IncomingMessage) => string;
  /** The target at BASE_URL's host, if there is one; it may be ambiguous. */
  targetOf(req: IncomingMessage): string | undefined;
}

export function createTransport({ logger, now, callMilliseconds }: GatewayPlatform, { settings }: Needs): Transport {
  const upstreams = createUpstreams(settings.services, callMilliseconds);
  const peers = createPeers(settings.trustedProxies, settings.allowPlainHttp);
  const cors = createCors(settings.corsOrigins);
  const hosts = createHosts(settings);
  const placeOf = (req: IncomingMessage): Place => hosts(peers.host(req));
  const originOf = createOrigins(settings);
  return {
    guard: (server) => limitConnections(server, peers),
    upstreams,
    peers,
    cors,
    log: logRequests(logger, now),
    setSafeHeaders(req, res, next) {
      res.setHeader('X-Content-Type-Options', 'nosniff');
      // Browsers ignore it over plain http (RFC 6797 §7.2).
      if (peers.isHttps(req)) res.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
      next();
    },
    readTarget(req, _res, next) {
      req.url = checkTarget(placeOf(req), req.url ?? '');
      next();
    },
    answerCors(req, res, next) {
      if (!cors.answer(req, res)) next();
    },
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
