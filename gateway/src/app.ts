import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import type { App } from '@itsm/shared/running/app';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import { createHttp } from '@itsm/shared/api/http/create-http';
import { assignRequestId } from '@itsm/shared/api/http/request-id';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { traceRequests } from '@itsm/shared/api/http/trace-requests';
import { createAdmission } from './callers/admission.service';
import { createIntrospection } from './callers/introspection';
import { tokenOf } from './callers/request-caller';
import type { Config } from './config';
import { createDocumentationRoutes } from './pages/documentation.routes';
import { createExplorerRoutes } from './graphql/explorer.routes';
import { createCalls } from './graphql/call.service';
import { checkSecure, createCallHandler } from './graphql/call-handler';
import { createGraphqlRoutes } from './graphql/graphql.routes';
import { createAccountRoutes } from './pages/account.routes';
import { createHosts, targetAt } from './transport/hosts';
import type { Place } from './transport/hosts';
import { createProxyRoutes } from './rest/proxy.routes';
import { isPlainTarget } from './rest/route-table';
import { createSupergraphSource } from './supergraph/supergraph-source';
import { createCors } from './transport/cors';
import { deadlineIn } from './transport/deadline';
import { logRequests } from './transport/log-requests';
import { createPeers } from './transport/peers';
import { addShortCut } from './transport/short-cut';
import { createUpstreams } from './transport/upstreams';
import { createRateLimitRoutes } from './callers/rate-limit.routes';

export interface GatewayDependencies {
  readonly config: Config;
  readonly coordination: Coordination;
  /** Whether auth bumps its revisions in the same coordination store; if not, every call is introspected. */
  readonly sharedRevisions: boolean;
  readonly logger: Logger;
  readonly now: Clock;
  /** How often the services are asked for a changed schema. */
  readonly schemaPollMilliseconds?: number;
  /** After which a call is answered, whatever the services do. */
  readonly callMilliseconds?: number;
}

/** The single door. `start` does not wait for the services; until all have reported their schemas GraphQL answers 503. */
export interface GatewayApp extends App {
  /** Resolves once the graph is composed. */
  ready(): Promise<void>;
  /** Whether GraphQL is answered, and why the newest schemas of the services are not served when they are not. */
  schemaState(): { readonly isComposed: boolean; readonly refusal: string | undefined };
}

export function createApp(dependencies: GatewayDependencies): GatewayApp {
  const { config, logger, schemaPollMilliseconds = 10_000, callMilliseconds = 9_000 } = dependencies;
  const upstreams = createUpstreams(config.services, callMilliseconds);
  const supergraph = createSupergraphSource({
    fixed: config.supergraph,
    acceptsBreakingChanges: config.acceptsBreakingChanges,
    executors: config.executors,
    pools: upstreams.pools,
    logger,
    now: dependencies.now,
    pollMilliseconds: schemaPollMilliseconds,
  });
  const introspect = createIntrospection(upstreams.pools.auth, config.introspectionSecret, logger);
  const admission = createAdmission({ ...dependencies, introspect });
  const peers = createPeers(config.trustedProxies, config.allowPlainHttp);
  const shared = {
    ...dependencies,
    admission,
    upstreams,
    peers,
    callMilliseconds,
    documentationUrl: `${config.baseUrl}/docs/limits`,
  };

  const graphql = {
    ...shared,
    calls: createCalls(dependencies.coordination),
    supergraph: () => supergraph.present(),
    accountHeaders: config.accountHeaders,
  };
  const handleCall = createCallHandler(graphql);
  const cors = createCors(config.corsOrigins);
  const log = logRequests(logger, dependencies.now);

  const hosts = createHosts(config);
  const placeOf = (req: IncomingMessage): Place => hosts(peers.host(req));
  const isCall = (req: IncomingMessage): boolean =>
    req.method === 'POST' && isEndpoint(targetAt(placeOf(req), req.url ?? ''));

  const mount = (app: Express): void => {
    app.disable('etag');
    app.use(log);
    app.use((req, _res, next) => {
      req.url = checkTarget(placeOf(req), req.url);
      next();
    });
    app.use((req, res, next) => {
      if (!cors.answer(req, res)) next();
    });
    app.use('/graphql', createGraphqlRoutes(graphql, handleCall, createExplorerRoutes()));
    // Passwords, codes and secrets are as much worth as tokens, so this holds for public paths as well.
    app.use((req, _res, next) => {
      checkSecure(peers, req);
      next();
    });
    app.use(
      createRateLimitRoutes(dependencies.coordination, (req) =>
        admission.identify(tokenOf(req), deadlineIn(callMilliseconds)),
      ),
    );
    app.use(createDocumentationRoutes());
    app.get('/', (_req, res) => res.redirect(302, '/oauth/profile'));
    app.use(createProxyRoutes({ ...shared, services: config.services, accountHeaders: config.accountHeaders }));
    app.use(createAccountRoutes(config.baseUrl, placeOf));
  };
  const isTrusted = (req: IncomingMessage): boolean => peers.isTrusted(req);
  const http = createHttp(logger, mount, isTrusted);
  const steps = [traceRequests(isTrusted), assignRequestId(isTrusted), log];
  addShortCut(http, isCall, (req, res) => {
    const handle = (): void => {
      req.url = '/graphql';
      if (!cors.answer(req, res)) void handleCall(req, res);
    };
    steps.reduceRight<() => void>((next, step) => () => step(req, res, next), handle)();
  });

  return {
    http,
    // It has none.
    prepareStore: () => Promise.resolve(),
    start: () => supergraph.start(),
    ready: () => supergraph.ready(),
    schemaState: () => ({ isComposed: supergraph.present() !== undefined, refusal: supergraph.refusal() }),
    async stop() {
      supergraph.stop();
      await upstreams.close();
    },
  };
}

const isEndpoint = (target: string | undefined): boolean => target === '/graphql' || target === '/graphql/';

/** What is asked for, as a target at BASE_URL's host. Ambiguous targets do not exist. */
function checkTarget(place: Place, given: string): string {
  if (!isPlainTarget(given)) throw notFound();
  const target = targetAt(place, given);
  if (target === undefined) throw new AppError('misdirected_request', 'Misdirected Request');
  return target;
}
