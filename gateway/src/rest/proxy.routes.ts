import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { AppError, badRequest } from '@itsm/shared/base/errors/app-error';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { selectAccount } from '@itsm/shared/api/identity/caller';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { networkOf } from '@itsm/shared/base/ids/network';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';
import type { AdmissionService } from '../callers/admission.service';
import { createInFlight, mostInFlight } from '../callers/calls-in-flight';
import { accountHeaderOf, checkOneAuthorization } from '../callers/request-caller';
import type { CredentialsOf } from '../callers/request-caller';
import { deadlineIn } from '../transport/deadline';
import { retryOnce } from '../transport/retry-once';
import type { Deadline } from '../transport/deadline';
import type { Peers } from '../transport/peers';
import type { ServiceName, Upstreams } from '../transport/upstreams';
import { retryAfter, setRateHeaders, sendTooManyRequests } from '../callers/limit-answers';
import { stripHeaders } from './proxy-headers';
import { findRoute, usualBodyLimit } from './route-table';
import type { Route } from './route-table';
import { createServiceProxy } from './service-proxy';
import type { ServiceProxy } from './service-proxy';

export interface ProxyDependencies {
  /** Origins. */
  readonly services: Readonly<Record<ServiceName, string>>;
  /** Origin; undefined where there is no console. */
  readonly consoleUrl: string | undefined;
  /** Names of the headers that say which account is meant, in lower case. */
  readonly accountHeaders: readonly string[];
  readonly admission: AdmissionService;
  readonly credentialsOf: CredentialsOf;
  /** The public URL that the client requested. */
  readonly addressOf: (req: IncomingMessage) => string;
  /** Public origin. */
  readonly baseUrl: string;
  readonly peers: Peers;
  readonly upstreams: Upstreams;
  readonly documentationUrl: string;
  readonly callMilliseconds: number;
  readonly logger: Logger;
  readonly now: Clock;
}

type Headers = Readonly<Record<string, string>>;

/** The REST edge: finds the route, admits the caller where one is needed, and passes the request on. */
export function createProxyRoutes(dependencies: ProxyDependencies): RequestHandler {
  const { services, consoleUrl, accountHeaders, admission, peers, upstreams, addressOf, baseUrl } = dependencies;
  const { callMilliseconds, logger } = dependencies;
  const homeOrigin = new URL(baseUrl).origin;
  const open = ([name, origin]: [string, string]): [string, ServiceProxy] => {
    const service = { name, origin, agentFor: (isUpload: boolean) => upstreams.agentFor(origin, isUpload) };
    return [name, createServiceProxy(service, logger)];
  };
  const origins = { ...services, ...(consoleUrl !== undefined && { console: consoleUrl }) };
  const proxies = new Map(Object.entries(origins).map(open));

  const anonymous = createInFlight(mostInFlight.address, 'this address');

  return async (req, res, next) => {
    const route = findRoute(req.url);
    const proxy = route && proxies.get(route.service);
    if (!proxy) {
      next();
      return;
    }
    // The console is on one origin only: its cookie would not be sent to another.
    if (route.service === 'console' && new URL(addressOf(req)).origin !== homeOrigin) {
      if (req.method === 'GET' || req.method === 'HEAD') res.redirect(302, `${baseUrl}${req.url}`);
      else next();
      return;
    }
    checkFraming(req);
    checkOneAuthorization(req);
    const deadline = deadlineIn(callMilliseconds);
    if (route.access === 'public') anonymous.begin(networkOf(peers.clientAddress(req)), res);
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
    const { bodyLimit = usualBodyLimit, isUpload = false } = route;
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const beforeAnswer = async () => {
      if (admitted && !isRead) await admission.wrote(admitted.accountId);
    };
    await proxy(req, res, { target, bodyLimit, isUpload, deadline, beforeAnswer });
  };
}

/** Headers that the service does not get: credentials are for auth alone, cookies for the services that set them. */
const withheld = ({ service, cookies = false }: Route, accountHeaders: readonly string[]): readonly string[] => [
  ...accountHeaders,
  ...(cookies ? [] : ['cookie']),
  ...(service === 'auth' ? [] : ['authorization', 'dpop']),
];

/** Bodies without length where none belongs are how a second request is hidden in a first (RFC 9112 §11.2). */
function checkFraming(req: Request): void {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(req.method);
  if (!hasBody && req.headers['transfer-encoding'] !== undefined) throw badRequest('Content-Length is required');
}

interface Admitted {
  readonly callerTokens: Readonly<Record<ServiceName, string>>;
  readonly accountId: string;
}

/** The headers that identify the caller to a service. */
const identityAt = (service: ServiceName, { callerTokens, accountId }: Admitted): Headers => ({
  authorization: `Bearer ${callerTokens[service]}`,
  'x-service-account': accountId,
});

/** The caller and their account; undefined when a limit refused the call, which then has its answer. */
async function admit(
  { admission, credentialsOf, accountHeaders, documentationUrl, now }: ProxyDependencies,
  req: Request,
  res: Response,
  { route: { isUpload = false }, deadline }: { readonly route: Route; readonly deadline: Deadline },
): Promise<Admitted | undefined> {
  const admitted = await admission.admit(credentialsOf(req), deadline);
  setRateHeaders(res, admitted.requests);
  if (!admitted.allowed) {
    sendTooManyRequests(res, { documentationUrl, retryAfter: retryAfter(admitted.requests, now()) });
    return undefined;
  }
  const { accountId } = selectAccount(admitted.claims, accountHeaderOf(req, accountHeaders));
  admission.begin(admitted, { accountId, isUpload }, res);
  return { callerTokens: admitted.callerTokens, accountId };
}

interface Owned {
  readonly admitted: Admitted;
  readonly ownedBy: ServiceName;
  readonly deadline: Deadline;
}

/** Asks the owning service whether the resource exists; when it does not, its refusal is the answer. */
async function isThere(
  { upstreams }: ProxyDependencies,
  req: Request,
  res: Response,
  { admitted, ownedBy, deadline }: Owned,
): Promise<boolean> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return true;
  const [path = ''] = req.url.split('?', 1);
  const headers = { ...identityAt(ownedBy, admitted), 'x-request-id': requestIdOf(req), ...traceHeader() };
  const ask = (left: number) =>
    upstreams.pools[ownedBy].request({ method: 'GET', path, headers, signal: AbortSignal.timeout(left) });
  const { statusCode, body } = await retryOnce(ask, { isRead: true, deadline }).catch(() => {
    throw new AppError('service_unavailable', 'Service Unavailable');
  });
  const text = await body.text();
  if (statusCode >= 200 && statusCode < 300) return true;
  res.status(statusCode).type('json').send(text);
  return false;
}
