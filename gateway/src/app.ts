import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { App } from '@itsm/shared/running/app';
import { runnersOf } from '@itsm/shared/running/module';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createCallers } from './callers/module';
import type { Config } from './config';
import { createGraphql } from './graphql/module';
import { createPages } from './pages/module';
import { createRest } from './rest/module';
import { createGraph } from './supergraph/module';
import type { GraphState, PlanningOptions } from './supergraph/module';
import { createTransport } from './transport/module';
import type { Bounds } from './transport/module';

export interface GatewayDependencies {
  readonly config: Config;
  readonly coordination: Coordination;
  /** Whether auth bumps its revisions in the same coordination store; if not, every call is introspected. */
  readonly sharedRevisions: boolean;
  readonly logger: Logger;
  readonly now: Clock;
  readonly schemaPollMilliseconds?: number;
  readonly callMilliseconds?: number;
  readonly bounds?: Bounds;
  /** The thread that plans documents. */
  readonly planning?: PlanningOptions;
}

/** The single entry point. `start` does not wait for the services; until all have reported their schemas GraphQL answers 503. */
export type GatewayApp = App & GraphState;

export function createApp({ config, ...given }: GatewayDependencies): GatewayApp {
  const { sharedRevisions, schemaPollMilliseconds: pollMilliseconds = 10_000, callMilliseconds = 9_000 } = given;
  const { baseUrl, introspectionSecret, accountHeaders } = config;
  const { coordination, logger, now, planning } = given;
  const platform = { coordination, logger, now, baseUrl, callMilliseconds };
  const transport = createTransport(platform, { settings: config, bounds: given.bounds });
  const callers = createCallers(platform, { transport, sharedRevisions, introspectionSecret });
  const graph = createGraph(platform, { transport, settings: config, pollMilliseconds, planning });
  const graphql = createGraphql(platform, { transport, callers, graph, accountHeaders });
  const rest = createRest(platform, { transport, callers, graph, settings: config, pollMilliseconds });
  const pages = createPages(platform, { transport, settings: config });
  const http = transport.openHttp((app) => {
    app.use('/graphql', pages.endpoint, graphql.router);
    // Public paths as well: passwords, codes and client secrets need https as much as tokens do.
    app.use(transport.requireSecure);
    app.use(callers.router, pages.documentation, rest.own, rest.handler);
    app.get('/', pages.home).use(pages.accounts, pages.failures);
  });
  graphql.takeShortCut(http);
  const { ready, schemaState } = graph;
  const { guard } = transport;
  // The gateway has no store.
  const prepareStore = () => Promise.resolve();
  return { http, guard, prepareStore, ...runnersOf([transport, graph, rest]), ready, schemaState };
}
