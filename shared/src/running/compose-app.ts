import type { Express, Request, RequestHandler, Router } from 'express';
import { parse } from 'graphql';
import type { Connection } from 'mongoose';
import { mergeResolvers } from '../api/graphql/merge-resolvers';
import type { ResolverMap } from '../api/graphql/merge-resolvers';
import { sharedResolvers, sharedTypeDefs } from '../api/graphql/schema';
import { createSubgraph } from '../api/graphql/subgraph';
import type { Subgraph, SubgraphOptions } from '../api/graphql/subgraph';
import { checkAddress } from '../api/http/check-address';
import { createHttp } from '../api/http/create-http';
import { asCall, isGet } from '../api/http/as-call';
import { createIdempotency } from '../api/http/idempotency';
import { logRequests } from '../api/http/request-log';
import { accountFact, authenticate } from '../api/identity/authenticate';
import type { CallerVerifier } from '../api/identity/caller-token';
import type { Broker } from '../messages/broker/broker';
import type { Relay } from '../messages/outbox/outbox';
import type { Sealer } from '../base/secrets/sealer';
import type { Clock } from '../base/time/clock';
import { serviceTimeHeader } from '../observing/metrics/clock-skew';
import type { Logger } from '../observing/logs/logger';
import { createIdempotentCalls } from '../stores/idempotence/idempotent-call.repository';
import type { Presence } from '../stores/presence/presence';
import { repeatOnce } from '../stores/mongo/repeat-once';
import type { App } from './app';
import { runnersOf } from './module';
import type { Module } from './module';

interface Composition {
  /** In dependency order: a module may depend on those before it. */
  readonly modules: readonly Module[];
  readonly connection: Connection;
  readonly verify: CallerVerifier;
  readonly logger: Logger;
  readonly now: Clock;
  /** Needed by a service that receives or sends messages. */
  readonly messages?: { readonly broker: Broker; readonly relay: Relay; readonly presence: Presence };
  /** Settings and handlers that precede all routes. */
  readonly prepareHttp?: (http: Express) => void;
  readonly largeQueries?: SubgraphOptions['largeQueries'];
  /** Seals what is kept of answers, which may have secrets. */
  readonly sealer?: Sealer;
}

/** An app with its part of the GraphQL API. */
export interface ComposedApp extends App {
  readonly resolvers: ResolverMap;
  /** Starts with the app; start it separately in a thread that answers queries only. */
  readonly subgraph: Pick<Subgraph, 'answer' | 'start'>;
}

/** Composes a service from its modules: one subgraph, their routes, and one start order, reversed on stop. */
export function composeApp(composition: Composition): ComposedApp {
  const { modules, connection, verify, logger, now, messages, prepareHttp, largeQueries, sealer } = composition;
  const calls = createIdempotentCalls(connection);
  const idempotency = createIdempotency({ calls, sealer, logger, now });
  const resolvers = mergeResolvers([sharedResolvers, ...modules.map((module) => module.resolvers ?? {})]);
  const typeDefs = parse([sharedTypeDefs, ...modules.map(({ sdl = '' }) => sdl)].join('\n'));
  const subgraph = createSubgraph({ typeDefs, resolvers, verify, logger, largeQueries, idempotency });
  const types = modules.flatMap((module) => module.types ?? []);
  const stores = [...modules.flatMap((module) => module.stores ?? []), calls];
  const consumers = modules.flatMap((module) => module.consumers ?? []);
  const runners = runnersOf(modules);
  if (consumers.length > 0 && !messages) throw new Error('Modules that take messages need a broker');

  // Retried, because an election can interrupt index creation.
  const prepareStore = (): Promise<void> =>
    repeatOnce(async () => {
      await Promise.all(stores.map((store) => store.ensureIndexes()));
      await messages?.relay.ensureIndexes();
    });
  return {
    resolvers,
    subgraph,
    http: createHttp(logger, (http) => {
      http.use((_req, res, next) => {
        res.setHeader(serviceTimeHeader, now().toISOString());
        next();
      });
      http.use(logRequests(logger, now, 'call', { more: accountFact, isDetail: isOwnCall }));
      prepareHttp?.(http);
      http.use(checkAddress);
      http.use('/graphql', subgraph.router);
      // For the gateway, as the schema is; Express adds the ETag and the 304.
      http.get('/v1/types', (_req, res) => void res.json(types));
      mountRoutes(http, modules, [authenticate(verify), asCall(isGet), idempotency.rest]);
    }),
    prepareStore,
    async start() {
      await prepareStore();
      await subgraph.start();
      messages?.presence.start();
      for (const { queue, handlers, options } of consumers) await messages?.broker.subscribe(queue, handlers, options);
      messages?.relay.start();
      await runners.start();
    },
    async stop() {
      await runners.stop();
      await messages?.relay.stop();
      await messages?.presence.stop();
      await subgraph.stop();
    },
  };
}

/** The gateway gives a client's call an id; the platform's own calls, such as those for schemas and keys, have none. */
const isOwnCall = (req: Request): boolean => req.headers['x-request-id'] === undefined;

/**
 * Verifies a caller's token once per path, however many modules answer below it. Longer paths come first, and on one
 * path the routers of higher modules, because `/:id` of a lower one would match their paths.
 */
function mountRoutes(http: Express, modules: readonly Module[], guards: readonly RequestHandler[]): void {
  const routers = { public: new Map<string, Router[]>(), caller: new Map<string, Router[]>() };
  for (const { path, access, router } of [...modules].reverse().flatMap((module) => module.routes ?? []))
    routers[access].set(path, [...(routers[access].get(path) ?? []), router]);
  const mounted = [
    ...[...routers.public].map(([path, open]) => ({ path, handlers: open })),
    ...[...routers.caller].map(([path, guarded]) => ({
      path,
      handlers: [...guards, ...guarded],
    })),
  ];
  for (const { path, handlers } of mounted.sort((one, other) => other.path.length - one.path.length))
    http.use(path, ...handlers);
}
