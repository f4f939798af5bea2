import type { RequestHandler, Router } from 'express';
import type { Callers } from '../callers/module';
import type { Graph } from '../supergraph/module';
import type { GatewayPlatform, Transport } from '../transport/module';
import type { ServiceName } from '../transport/upstreams';
import { createProxyRoutes } from './proxy.routes';
import { createScopesRoutes } from './scopes.routes';

interface Needs {
  readonly transport: Transport;
  readonly callers: Callers;
  readonly graph: Graph;
  readonly settings: {
    readonly services: Readonly<Record<ServiceName, string>>;
    readonly consoleUrl: string | undefined;
    readonly accountHeaders: readonly string[];
  };
}

export interface Rest {
  /** The routes that the gateway answers itself. */
  readonly own: Router;
  readonly handler: RequestHandler;
}

export function createRest(platform: GatewayPlatform, { transport, callers, graph, settings }: Needs): Rest {
  const { upstreams, peers, addressOf } = transport;
  const { services, consoleUrl, accountHeaders } = settings;
  return {
    own: createScopesRoutes({ ...platform, ...callers, graph }),
    handler: createProxyRoutes({
      ...platform,
      ...callers,
      addressOf,
      upstreams,
      peers,
      services,
      consoleUrl,
      accountHeaders,
    }),
  };
}
