import type { Request, RequestHandler, Response } from 'express';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import { requestIdOf } from '@itsm/shared/api/http/request-id';
import { selectAccount } from '@itsm/shared/api/identity/caller';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { networkOf } from '@itsm/shared/base/ids/network';
import { traceHeader } from '@itsm/shared/observing/tracing/tracing';
import type { AdmissionService } from '../callers/admission.service';
import { createInFlight, mostInFlight } from '../callers/calls-in-flight';
import { accountHeaderOf, checkOneAuthorization, tokenOf } from '../callers/request-caller';
import type { ServiceName } from '../transport/upstreams';
import { deadlineIn } from '../transport/deadline';
import type { Deadline } from '../transport/deadline';
import type { Peers } from '../transport/peers';
import type { Upstreams } from '../transport/upstreams';
import { retryAfter, setRateHeaders, sendTooManyRequests } from '../callers/limit-answers';
import { stripHeaders } from './proxy-headers';
import { findRoute, usualBodyLimit } from './route-table';
import type { Route } from './route-table';
import { createServiceProxy } from './service-proxy';
import type { ServiceProxy } from './service-proxy';

export interface ProxyDependencies {
  /** Origins. */
  readonly services: Readonly<Record<ServiceName, string>>;
  /** Names of the headers that say which account is meant, in lower case. */
  readonly accountHeaders: readonly string[];
  readonly admission: AdmissionService;
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
  const { services, accountHeaders, peers, upstreams, callMilliseconds, logger } = dependencies;
  const open = ([name, origin]: [string, string]): [string, ServiceProxy] => {
    const service = { name, origin, agentFor: (isUpload: boolean) => upstreams.agentFor(origin, isUpload) };
    return [name, createServiceProxy(service, logger)];
  };
  const proxies = Object.fromEntries(Object.entries(services).map(open)) as Record<ServiceName, ServiceProxy>;

  const anonymous = createInFlight(mostInFlight.address, 'this address');

  return async (req, res, next) => {
    const route = findRoute(req.url);
    if (!route) {
      next();
      return;
    }
    checkFraming(req);
    checkOneAuthorization(req);
    const deadline = deadlineIn(callMilliseconds);
    if (route.access === 'public') anonymous.begin(networkOf(peers.clientAddress(req)), res);
    const identity = route.access === 'caller' ? await admit(dependencies, route, req, res, deadline) : {};
    if (!identity) return;
    const forwarded = peers.forwarded(req);
    stripHeaders(req.headers, withheld(route, accountHeaders));
    Object.assign(req.headers, forwarded, identity, { 'x-request-id': requestIdOf(req) }, traceHeader());
    const target = `${route.rewrite ?? ''}${req.url}`;
    const { bodyLimit = usualBodyLimit, isUpload = false } = route;
    await proxies[route.service](req, res, { target, bodyLimit, isUpload, deadline });
  };
}

/** Cookies and credentials are auth's own matter; no other service sees them. */
const withheld = (route: Route, accountHeaders: readonly string[]): readonly string[] =>
  route.service === 'auth' ? accountHeaders : [...accountHeaders, 'cookie', 'authorization'];

/** Bodies without length where none belongs are how a second request is hidden in a first (RFC 9112 §11.2). */
function checkFraming(req: Request): void {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(req.method);
  if (!hasBody && req.headers['transfer-encoding'] !== undefined) throw badRequest('Content-Length is required');
}

/** The headers that identify the caller to a service; undefined when a window refused the call, which is then answered. */
async function admit(
  { admission, accountHeaders, documentationUrl, now }: ProxyDependencies,
  { isUpload = false }: Route,
  req: Request,
  res: Response,
  deadline: Deadline,
): Promise<Headers | undefined> {
  const admitted = await admission.admit(tokenOf(req), deadline);
  setRateHeaders(res, admitted.requests);
  if (!admitted.allowed) {
    sendTooManyRequests(res, { documentationUrl, retryAfter: retryAfter(admitted.requests, now()) });
    return undefined;
  }
  const { accountId } = selectAccount(admitted.claims, accountHeaderOf(req, accountHeaders));
  admission.begin(admitted, { accountId, isUpload }, res);
  return { authorization: `Bearer ${admitted.callerToken}`, 'x-service-account': accountId };
}
