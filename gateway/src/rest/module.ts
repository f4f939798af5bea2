import type { RequestHandler } from 'express';
import type { Callers } from '../callers/module';
import type { GatewayPlatform, Transport } from '../transport/module';
import type { ServiceName } from '../transport/upstreams';
import { createProxyRoutes } from './proxy.routes';

interface Needs {
  readonly transport: Transport;
  readonly callers: Callers;
  readonly settings: {
    readonly services: Readonly<Record<ServiceName, string>>;
    readonly accountHeaders: readonly string[];
  };
}

export interface Rest {
  readonly handler: RequestHandler;
}

export function createRest(platform: GatewayPlatform, { transport, callers, settings }: Needs): Rest {
  const { upstreams, peers } = transport;
  const { services, accountHeaders } = settings;
  return { handler: createProxyRoutes({ ...platform, ...callers, upstreams, peers, services, accountHeaders }) };
}
