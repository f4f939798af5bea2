import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { mostAnswerBytes } from '@itsm/shared/api/graphql/write-answer';
import type { CalledService } from '@itsm/shared/api/identity/caller-token';
import { Pool } from 'undici';

/** The services behind the gateway. */
export type ServiceName = CalledService;

export interface Upstreams {
  /** For the gateway's own calls. */
  readonly pools: Readonly<Record<ServiceName, Pool>>;
  /** For what is passed on, by the protocol of the service. Uploads, which may take minutes, have connections of their own. */
  agentFor(origin: string, isUpload: boolean): HttpAgent | HttpsAgent;
  close(): Promise<void>;
}

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
      // A larger answer would hold up all other calls, and take many times its size in memory.
      maxResponseSize: mostAnswerBytes,
    });
  const pools = {
    auth: open(services.auth),
    graph: open(services.graph),
    webhooks: open(services.webhooks),
    'webhook-delivery': open(services['webhook-delivery']),
    'ui-extensions': open(services['ui-extensions']),
  };
  const openAgents = (maxSockets: number) => ({
    'http:': new HttpAgent({ keepAlive: true, maxSockets }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets }),
  });
  const [usual, uploads] = [openAgents(256), openAgents(64)];
  return {
    pools,
    agentFor: (origin, isUpload) => (isUpload ? uploads : usual)[origin.startsWith('https:') ? 'https:' : 'http:'],
    close: async () => {
      for (const agent of [usual, uploads].flatMap((agents) => Object.values(agents))) agent.destroy();
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}
