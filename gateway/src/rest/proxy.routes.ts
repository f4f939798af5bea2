import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { AppError, badRequest } from '@itsm/shared/base/errors/app-error';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { selectAccount } from '@itsm/shared/api/identity/caller';
import { calledServices } from '@itsm/shared/api/identity/caller-token';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { networkOf } from '@itsm/shared/base/ids/network';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';
import type { AdmissionService } from '../callers/admission.service';
import { createInFlight } from '@itsm/shared/api/http/in-flight';
import { mostInFlight } from '../callers/calls-in-flight';
import { callerRefused, isCallerRefused } from '../callers/refused-caller';
import { accountHeaderOf, checkOneAuthorization, withMetadata } from '../callers/request-caller';
import type { Credentials, CredentialsOf } from '../callers/request-caller';
import type { Bodies } from '../transport/bodies';
import { beginFetch, recordOf } from '../transport/call-record';
import type { Compression } from '../transport/compression';
import { deadlineIn } from '../transport/deadline';
import { retryOnce } from '../transport/retry-once';
import type { Deadline } from '../transport/deadline';
import type { Peers } from '../transport/peers';
import type { ServiceName, Upstreams } from '../transport/upstreams';
import { retryAfter, setRateHeaders, sendTooManyRequests } from '../callers/limit-answers';
import { stripHeaders } from './proxy-headers';
import { findRoute, holdLimitOf, usualBodyLimit } from './route-table';
import type { Route } from './route-table';
import { createServiceProxy } from './service-proxy';
import type { ServiceProxy } from './service-proxy';
import { createSignInRefusals } from './sign-in-refusals';

export interface ProxyDependencies {
  /** Origins. */
  readonly services: Readonly<Record<ServiceName, string>>;
  /** Origin; undefined where there is no console. */
  readonly consoleUrl: string | undefined;
  /** Names of the headers that select the account, in lower case. */
  readonly accountHeaders: readonly string[];
  readonly admission: AdmissionService;
  readonly credentialsOf: CredentialsOf;
  /** The public URL that the client requested. */
  readonly addressOf: (req: IncomingMessage) => string;
  /** Public origin. */
  readonly baseUrl: string;
  readonly peers: Peers;
  readonly upstreams: Upstreams;
  readonly bodies: Bodies;
  readonly compression: Compression;
  readonly documentationUrl: string;
  readonly callMilliseconds: number;
  readonly logger: Logger;
  readonly now: Clock;
}

type Headers = Readonly<Record<string, string>>;

/** The REST edge: finds the route, admits the caller where one is needed, and proxies the request. */
export function createProxyRoutes(dependencies: ProxyDependencies): RequestHandler {
  const { services, consoleUrl, accountHeaders, admission, peers, upstreams, addressOf, baseUrl } = dependencies;
  const { bodies, compression, callMilliseconds, logger, now } = dependencies;
  const homeOrigin = new URL(baseUrl).origin;
  const open = (name: ServiceName | 'console', origin: string): [string, ServiceProxy] => {
    const service = { name, origin, wayFor: (isUpload: boolean) => upstreams.wayTo(origin, isUpload) };
    return [name, createServiceProxy(service, { bodies, compression, logger, now })];
  };
  const proxies = new Map(calledServices.map((name) => open(name, services[name])));
  if (consoleUrl !== undefined) proxies.set(...open('console', consoleUrl));

  const { address, addresses } = mostInFlight;
  const anonymous = createInFlight({ each: address, all: addresses, whose: 'this address' });
  const signIns = createSignInRefusals(now);

  return async (req, res, next) => {
    const route = findRoute(req.url);
    const proxy = route && proxies.get(route.service);
    if (!proxy) {
      next();
      return;
    }
    // The console has one origin: a browser would not send its cookie to another one.
    if (route.service === 'console' && new URL(addressOf(req)).origin !== homeOrigin) {
      if (req.method === 'GET' || req.method === 'HEAD') res.redirect(302, `${baseUrl}${req.url}`);
      else next();
      return;
    }
    checkFraming(req);
    checkOneAuthorization(req);
    const deadline = deadlineIn(callMilliseconds);
    const isPublic = route.access === 'public';
    const network = isPublic ? networkOf(peers.clientAddress(req)) : '';
    const isSignIn = route.service === 'auth' && req.method === 'POST' && req.path === '/oauth/sign-in';
    if (isSignIn && signIns.refuse(req, res, network)) return;
    // Many people may share one address, so the console counts by session instead.
    if (isPublic && route.service !== 'console') anonymous.begin(network, res);
    const admitted = route.access === 'caller' ? await admit(dependencies, req, res, { route, deadline }) : undefined;
    if (!admitted && route.access === 'caller') return;
    const identity = admitted && route.service !== 'console' ? identityAt(route.service, admitted) : {};
    if (
      admitted &&
      route.ownedBy &&
      !(await isThere(dependencies, req, res, { admitted, ownedBy: route.ownedBy, deadline }))
    )
      return;
    const isProven = route.service === 'auth' && req.headers['dpop'] !== undefined;
    const forwarded = { ...peers.forwarded(req), ...(isProven && { 'x-original-uri': addressOf(req) }) };
    stripHeaders(req.headers, withheld(route, accountHeaders));
    Object.assign(req.headers, forwarded, identity, { 'x-request-id': requestIdOf(req) }, traceHeader());
    const target = `${route.rewrite ?? ''}${req.url}`;
    const { bodyLimit = usualBodyLimit } = route;
    const isUpload = isUploadBy(req, route);
    const holdLimit = holdLimitOf(route);
    // What a write answers may be a secret that was just made.
    const isCompressed = route.isCompressed === true && isRead(req);
    const owner = admitted?.accountId ?? network;
    const isVouched = 'authorization' in identity;
    const beforeAnswer = async ({ statusCode: status = 0, headers }: IncomingMessage) => {
      if (isSignIn) signIns.learn(network, headers);
      const answer = { to: route.service, status, challenge: headers['www-authenticate'], requestId: requestIdOf(req) };
      if (isVouched && isCallerRefused(logger, answer)) throw callerRefused();
      if (admitted) completeChallenge(headers, admitted);
      if (admitted && !isRead(req)) await admission.wrote(admitted.accountId);
    };
    const limits = { bodyLimit, holdLimit, isUpload, isCompressed, deadline };
    await proxy(req, res, { target, owner, ...limits, refuse: next, beforeAnswer });
  };
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Reading the state of an upload takes no minutes, so only writes count as uploads. */
const isUploadBy = (req: Request, { isUpload = false }: Route): boolean => isUpload && !isRead(req);

/** Only auth gets credentials; only the services that set cookies get them. */
const withheld = ({ service, cookies = false }: Route, accountHeaders: readonly string[]): readonly string[] => [
  ...accountHeaders,
  ...(cookies ? [] : ['cookie']),
  ...(service === 'auth' ? [] : ['authorization', 'dpop']),
];

/** A body without length on a method that has none is a means of request smuggling (RFC 9112 §11.2). */
function checkFraming(req: Request): void {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(req.method);
  if (!hasBody && req.headers['transfer-encoding'] !== undefined) throw badRequest('Content-Length is required');
}

interface Admitted {
  readonly callerTokens: Readonly<Record<ServiceName, string>>;
  readonly accountId: string;
  readonly credentials: Credentials;
}

/** Services know neither the scheme of the client's token nor the address that it called. */
function completeChallenge(headers: IncomingHttpHeaders, { credentials }: Admitted): void {
  const challenge = headers['www-authenticate'];
  if (challenge === undefined) return;
  const { possession, metadata } = credentials;
  const own = possession ? challenge.replace(/^Bearer\b/, 'DPoP') : challenge;
  headers['www-authenticate'] = withMetadata(own, metadata());
}

/** The headers by which a service identifies the caller. */
const identityAt = (service: ServiceName, { callerTokens, accountId }: Admitted): Headers => ({
  authorization: `Bearer ${callerTokens[service]}`,
  'x-service-account': accountId,
});

/**
 * The caller and the selected account; undefined when a limit refused the call, in which case the answer has been sent.
 */
async function admit(
  { admission, credentialsOf, accountHeaders, documentationUrl, now }: ProxyDependencies,
  req: Request,
  res: Response,
  { route, deadline }: { readonly route: Route; readonly deadline: Deadline },
): Promise<Admitted | undefined> {
  const credentials = credentialsOf(req);
  const admitted = await admission.admit(credentials, deadline, res);
  setRateHeaders(res, admitted.requests);
  if (!admitted.allowed) {
    sendTooManyRequests(res, { documentationUrl, retryAfter: retryAfter(admitted.requests, now()) });
    return undefined;
  }
  const { accountId } = selectAccount(admitted.claims, accountHeaderOf(req, accountHeaders));
  admission.begin(admitted, { accountId, isUpload: isUploadBy(req, route) }, res);
  return { callerTokens: admitted.callerTokens, accountId, credentials };
}

interface Owned {
  readonly admitted: Admitted;
  readonly ownedBy: ServiceName;
  readonly deadline: Deadline;
}

/** Asks the owning service whether the resource exists; if not, its refusal becomes the answer. */
async function isThere(
  { upstreams, logger, now }: ProxyDependencies,
  req: Request,
  res: Response,
  { admitted, ownedBy, deadline }: Owned,
): Promise<boolean> {
  if (!isRead(req)) return true;
  const [path = ''] = req.url.split('?', 1);
  const headers = { ...identityAt(ownedBy, admitted), 'x-request-id': requestIdOf(req), ...traceHeader() };
  const { pool, turns } = upstreams.pools[ownedBy];
  const attempt = async (left: number) => {
    const answer = await pool.request({ method: 'GET', path, headers, signal: AbortSignal.timeout(left) });
    const { statusCode, headers: given, body } = answer;
    return { statusCode, given, text: await body.text() };
  };
  const ask = () => {
    const end = beginFetch(recordOf(req), ownedBy, now);
    return retryOnce(attempt, { isRead: true, deadline })
      .catch(() => {
        throw new AppError('service_unavailable', 'Service Unavailable');
      })
      .finally(end);
  };
  const { statusCode, given, text } = await turns.run(admitted.accountId, ask, { deadline });
  if (statusCode >= 200 && statusCode < 300) return true;
  const challenge = given['www-authenticate'];
  if (isCallerRefused(logger, { to: ownedBy, status: statusCode, challenge, requestId: requestIdOf(req) })) {
    throw callerRefused();
  }
  completeChallenge(given, admitted);
  if (given['www-authenticate'] !== undefined) res.set('WWW-Authenticate', given['www-authenticate']);
  res.status(statusCode).type('json').send(text);
  return false;
}
