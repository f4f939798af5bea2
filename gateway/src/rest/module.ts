import { Router } from 'express';
import type { RequestHandler } from 'express';
import type { Module } from '@itsm/shared/running/module';
import type { Callers } from '../callers/module';
import type { Graph } from '../supergraph/module';
import type { GatewayPlatform, Transport } from '../transport/module';
import type { ServiceName } from '../transport/upstreams';
import { createDescribedTypes } from './described-types';
import { createIndexRoutes } from './index.routes';
import { createProxyRoutes } from './proxy.routes';
import { createScopesRoutes } from './scopes.routes';
import { createTypesRoutes } from './types.routes';

interface Needs {
  readonly transport: Transport;
  readonly callers: Callers;
  readonly graph: Graph;
  readonly settings: {
    readonly services: Readonly<Record<ServiceName, string>>;
    readonly consoleUrl: string | undefined;
    readonly accountHeaders: readonly string[];
  };
  /** The interval between polls of the services' types. */
  readonly pollMilliseconds: number;
}

export interface Rest extends Pick<Module, 'runners'> {
  /** The routes that the gateway answers itself. */
  readonly own: Router;
  readonly handler: RequestHandler;
}

export function createRest(
  platform: GatewayPlatform,
  { transport, callers, graph, settings, pollMilliseconds }: Needs,
): Rest {
  const { baseUrl, callMilliseconds, logger, now } = platform;
  const { upstreams, bodies, compression, peers, addressOf } = transport;
  const { admission, credentialsOf, documentationUrl } = callers;
  const { services, consoleUrl, accountHeaders } = settings;
  const described = createDescribedTypes({ pools: upstreams.pools, pollMilliseconds, logger });
  return {
    runners: [described],
    own: Router().use(
      createIndexRoutes(baseUrl),
      createTypesRoutes({ described, graph }),
      createScopesRoutes({ admission, credentialsOf, graph, compression, documentationUrl, callMilliseconds, now }),
    ),
    handler: createProxyRoutes({
      admission,
      credentialsOf,
      documentationUrl,
      addressOf,
      upstreams,
      bodies,
      compression,
      peers,
      services,
      consoleUrl,
      accountHeaders,
      baseUrl,
      callMilliseconds,
      logger,
      now,
    }),
  };
}
