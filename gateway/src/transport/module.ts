import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { checkAddress } from '@itsm/shared/api/http/check-address';
import { createHttp } from '@itsm/shared/api/http/create-http';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import { logRequests } from '@itsm/shared/api/http/request-log';
import type { App } from '@itsm/shared/running/app';
import type { Module, Platform } from '@itsm/shared/running/module';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createBodies } from './bodies';
import type { Bodies } from './bodies';
import type { Timer } from './body-pace';
import { lineOf, recordOf } from './call-record';
import { createCompression } from './compression';
import type { Compression } from './compression';
import { limitConnections } from './connections';
import type { mostConnections } from './connections';
import { createCors } from './cors';
import type { Cors } from './cors';
import { absoluteForm, checkTarget, createHosts, createOrigins, targetAt } from './hosts';
import type { Addresses, FurtherHosts, Place } from './hosts';
import { checkSecure, countOf, createPeers } from './peers';
import type { Peers } from './peers';
import { createUpstreams } from './upstreams';
import type { ServiceName, Upstreams } from './upstreams';

/** Limits that tests make smaller, and the timer that they control. */
export interface Bounds {
  /** Measures the pace of bodies; the system's timer by default. */
  readonly timer?: Timer;
  readonly connections?: typeof mostConnections;
}

/** The parts of the platform that every module of the gateway may use; a module declares further needs itself. */
export interface GatewayPlatform extends Pick<Platform, 'baseUrl' | 'logger' | 'now'> {
  readonly coordination: Coordination;
  /** The deadline of a call in milliseconds, whatever the services do. */
  readonly callMilliseconds: number;
}

interface Needs {
  readonly bounds: Bounds | undefined;
  readonly settings: Addresses & {
    readonly furtherHosts: FurtherHosts;
    readonly services: Readonly<Record<ServiceName, string>>;
    readonly trustedProxies: readonly string[];
    readonly allowPlainHttp: boolean;
    readonly corsOrigins: readonly string[];
  };
}

/** A middleware that works without Express. */
export type Step = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

export interface Transport extends Module {
  readonly guard: NonNullable<App['guard']>;
  readonly upstreams: Upstreams;
  readonly bodies: Bodies;
  readonly compression: Compression;
  readonly peers: Peers;
  readonly cors: Cors;
  readonly log: Step;
  /** Sets the security headers of every answer, JSON included. */
  readonly setSafeHeaders: Step;
  readonly requireSecure: Step;
  /** Creates an app that logs requests and refuses ambiguous targets before `mount` routes them. */
  openHttp(mount: (http: Express) => void): Express;
  placeOf(req: IncomingMessage): Place;
  /**
   * The public URL that the client requested, without query. Its origin is always one of the platform's, whatever the
   * `Host` header.
   */
  readonly addressOf: (req: IncomingMessage) => string;
  /** The request target on BASE_URL's host, if there is one; it may be ambiguous. None when the host is ambiguous. */
  targetOf(req: IncomingMessage): string | undefined;
}

export function createTransport(
  { logger, now, callMilliseconds }: GatewayPlatform,
  { settings, bounds }: Needs,
): Transport {
  const upstreams = createUpstreams(settings.services, callMilliseconds);
  const peers = createPeers(settings.trustedProxies, settings.allowPlainHttp);
  const cors = createCors(settings.corsOrigins);
  const hosts = createHosts(settings, settings.furtherHosts);
  const placeOf = (req: IncomingMessage): Place => hosts(peers.host(req));
  const originOf = createOrigins(settings);
  const log = logRequests(logger, now, 'request', { more: (req) => lineOf(recordOf(req), now) });
  const setSafeHeaders: Step = (req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    // Browsers ignore it over plain http (RFC 6797 §7.2).
    if (peers.isHttps(req)) res.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
  /** A server must accept the absolute form, and its authority goes before `Host` (RFC 9112 §3.2.2). */
  const readAbsoluteForm: Step = (req, _res, next) => {
    const absolute = absoluteForm(req.url ?? '');
    if (absolute) {
      req.headers.host = absolute.host;
      Object.assign(req, { url: absolute.target, originalUrl: absolute.target });
    }
    next();
  };
  /** Rewrites the request to its target on BASE_URL's host; "Not Found" when there is none. */
  const readTarget: Step = (req, _res, next) => {
    if (hasHosts(req)) throw badRequest('More than one Host header');
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
    compression: createCompression(),
    peers,
    cors,
    log,
    setSafeHeaders,
    openHttp: (mount) =>
      createHttp(
        logger,
        (http) => {
          http.disable('etag');
          // The log comes first, so that refusals are logged too. `readTarget` comes before everything that reads the
          // URL.
          http.use(readAbsoluteForm, log, setSafeHeaders, checkAddress, readTarget, answerCors);
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
    targetOf: (req) => (hasHosts(req) ? undefined : targetAt(placeOf(req), req.url ?? '')),
    runners: [{ stop: () => upstreams.close() }],
  };
}

/** Two names for one request mean two things to a proxy and to us (RFC 9112 §3.2). */
const hasHosts = (req: IncomingMessage): boolean => countOf(req, 'host') > 1;

/** The original request target, before `readTarget` rewrote it. */
const givenTarget = (req: IncomingMessage & { readonly originalUrl?: string }): string =>
  req.originalUrl ?? req.url ?? '';
