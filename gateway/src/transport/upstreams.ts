import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { mostAnswerBytes } from '@itsm/shared/api/graphql/write-answer';
import { idleMilliseconds } from '@itsm/shared/api/http/idle-connections';
import type { CalledService } from '@itsm/shared/api/identity/caller-token';
import { Pool } from 'undici';
import { createFairTurns } from '@itsm/shared/base/concurrency/fair-turns';
import type { FairTurns } from '@itsm/shared/base/concurrency/fair-turns';

/** The services behind the gateway. */
export type ServiceName = CalledService;

/** Connections for the gateway's own calls to a service (GraphQL, lookups). */
export interface ServicePool {
  readonly pool: Pool;
  /** Fair queuing of calls on behalf of accounts. */
  readonly turns: FairTurns;
}

/** Connections for proxied requests to one service. */
export interface Way {
  readonly agent: HttpAgent | HttpsAgent;
  readonly turns: FairTurns;
}

export interface Upstreams {
  readonly pools: Readonly<Record<ServiceName, ServicePool>>;
  /** A separate pool for introspections at auth, so that other load on auth cannot block authentication. */
  readonly introspections: Pool;
  /** Uploads have separate connections, as they may take minutes. */
  wayTo(origin: string, isUpload: boolean): Way;
  close(): Promise<void>;
}

/**
 * Connection limits per service. Some connections of the pool are reserved for calls without an account, such as
 * loading the schema.
 */
export const connections = {
  pool: { all: 64, inTurns: 60 },
  passedOn: 256,
  uploads: 128,
  introspections: 20,
} as const;

/** Keep-alive connections to the services; idle ones close before a service that stops would close them. */
export function createUpstreams(services: Readonly<Record<ServiceName, string>>, callMilliseconds: number): Upstreams {
  const openPool = (origin: string, count: number): Pool =>
    new Pool(origin, {
      connections: count,
      keepAliveTimeout: idleMilliseconds,
      // However long the service says that it would keep them.
      keepAliveMaxTimeout: idleMilliseconds,
      // Three of the nine seconds of a call.
      connect: { timeout: callMilliseconds / 3 },
      headersTimeout: callMilliseconds,
      bodyTimeout: callMilliseconds,
      // A larger answer would hold up all other calls and take a multiple of its size in memory.
      maxResponseSize: mostAnswerBytes,
    });
  const open = (origin: string): ServicePool => ({
    pool: openPool(origin, connections.pool.all),
    turns: createFairTurns({ limit: connections.pool.inTurns }),
  });
  const pools = {
    auth: open(services.auth),
    graph: open(services.graph),
    webhooks: open(services.webhooks),
    'webhook-delivery': open(services['webhook-delivery']),
    'ui-extensions': open(services['ui-extensions']),
  };
  const introspections = openPool(services.auth, connections.introspections);
  const usual = createWays(connections.passedOn);
  const uploads = createWays(connections.uploads);
  return {
    pools,
    introspections,
    wayTo: (origin, isUpload) => (isUpload ? uploads : usual).wayTo(origin),
    close: async () => {
      for (const ways of [usual, uploads]) ways.close();
      await Promise.all([...Object.values(pools).map(({ pool }) => pool.close()), introspections.close()]);
    },
  };
}

function createWays(maxSockets: number) {
  // The time-out of a connection in use is that of its call.
  const options = { keepAlive: true, maxSockets, timeout: idleMilliseconds };
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
  const ways = new Map<string, Way>();
  return {
    wayTo(origin: string): Way {
      const agent = agents[origin.startsWith('https:') ? 'https:' : 'http:'];
      const way = ways.get(origin) ?? { agent, turns: createFairTurns({ limit: maxSockets }) };
      ways.set(origin, way);
      return way;
    },
    close(): void {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
