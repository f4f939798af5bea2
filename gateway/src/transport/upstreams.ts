import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Pool } from 'undici';

/** The services behind the gateway. */
export type ServiceName = 'auth' | 'graph' | 'webhooks' | 'webhook-delivery' | 'ui-extensions';

export interface Upstreams {
  /** For the gateway's own calls. */
  readonly pools: Readonly<Record<ServiceName, Pool>>;
  /** For what is passed on, by the protocol of the service. */
  agentFor(origin: string): HttpAgent | HttpsAgent;
  close(): Promise<void>;
}

/** Reading and writing more holds up everybody else, and takes many times as much memory. */
const largestAnswer = 16 * 1024 * 1024;

/** Keep-alive connections to the services; idle ones go before the services would close them. */
export function createUpstreams(services: Readonly<Record<ServiceName, string>>, callMilliseconds: number): Upstreams {
  const open = (origin: string): Pool =>
    new Pool(origin, {
      connections: 64,
      keepAliveTimeout: 20_000,
      keepAliveMaxTimeout: 30_000,
      connect: { timeout: 3_000 },
      headersTimeout: callMilliseconds,
      bodyTimeout: callMilliseconds,
      maxResponseSize: largestAnswer,
    });
  const pools = {
    auth: open(services.auth),
    graph: open(services.graph),
    webhooks: open(services.webhooks),
    'webhook-delivery': open(services['webhook-delivery']),
    'ui-extensions': open(services['ui-extensions']),
  };
  const http = new HttpAgent({ keepAlive: true, maxSockets: 256 });
  const https = new HttpsAgent({ keepAlive: true, maxSockets: 256 });
  return {
    pools,
    agentFor: (origin) => (origin.startsWith('https:') ? https : http),
    close: async () => {
      http.destroy();
      https.destroy();
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}
