import { findBreakingChanges, parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import type { Pool } from 'undici';
import { composeServices } from '@apollo/composition';
import { noteClock, serviceTimeHeader } from '@itsm/shared/observing/metrics/clock-skew';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { calledServices } from '@itsm/shared/api/identity/caller-token';
import type { ServiceName, ServicePool } from '../transport/upstreams';
import type { ExecutorSettings } from '../execution/load-executor';
import { createBreakers } from '../transport/breaker';
import { createServiceCall } from '../execution/service-client';
import type { ServiceCall } from '../execution/service-client';
import type { PlanningOptions } from './planning';
import { loadSupergraph } from './supergraph';
import type { Supergraph } from './supergraph';
import { fieldScopesOf } from './field-scopes';
import type { FieldScopes } from './field-scopes';
import { nodeTypesOf } from './node-owners';
import { gatewayTypeDefs } from './gateway-subgraph';

/** The current graph, composed from the schemas of the services and kept up to date. */
export interface SupergraphSource {
  present(): Supergraph | undefined;
  /** The scopes of the current supergraph's fields; undefined for a fixed one, which declares none. */
  fieldScopes(): FieldScopes | undefined;
  /** Why the newest schemas of the services are not served; undefined while they are. */
  refusal(): string | undefined;
  /** Loads the fixed graph, or starts polling the services; rejects when the fixed graph is invalid. */
  start(): Promise<void>;
  /** Resolves once there is a graph. */
  ready(): Promise<void>;
  stop(): void;
}

export interface SupergraphSourceOptions {
  /** SDL of a fixed supergraph; the schemas of the services are then ignored. */
  readonly fixed: string | undefined;
  readonly acceptsBreakingChanges: boolean;
  readonly executors: ExecutorSettings;
  readonly pools: Readonly<Record<ServiceName, ServicePool>>;
  readonly logger: Logger;
  readonly now: Clock;
  /** The interval between polls. */
  readonly pollMilliseconds: number;
  /** As in `SupergraphOptions`. */
  readonly planning: PlanningOptions | undefined;
}

const retryMilliseconds = 250;

export function createSupergraphSource(options: SupergraphSourceOptions): SupergraphSource {
  const { executors, logger, pollMilliseconds, fixed, acceptsBreakingChanges, planning } = options;
  const graphOptions = { services: callsOf(options), executors, logger, planning };
  const stopping = new AbortController();
  const readiness = createReadiness();
  let present: Supergraph | undefined;
  let fieldScopes: FieldScopes | undefined;
  let refusal: string | undefined;
  let composedFrom = '';
  let waitingFor = '';
  let timer: NodeJS.Timeout | undefined;

  /** Composes the graph when a schema has changed; when composition fails, the last good graph stays. */
  async function refresh(): Promise<void> {
    const sdls = await loadSdls(options, stopping.signal);
    const fingerprint = JSON.stringify([...sdls]);
    if (fingerprint === composedFrom) return;
    composedFrom = fingerprint;
    try {
      const next = await loadSupergraph(compose(sdls), graphOptions);
      checkChanges(next);
      take(next);
      fieldScopes = fieldScopesOf([...sdls.values()].map((sdl) => parse(sdl)));
      logger.info('supergraph composed', { services: [...sdls.keys()] });
    } catch (error) {
      refusal = error instanceof Error ? error.message : String(error);
      logger.error('composition refused', { error });
    }
  }

  /**
   * Refuses breaking changes unless the operator accepts them: services are deployed one after another, and an old
   * replica must not take away what clients use.
   */
  function checkChanges(next: Supergraph): void {
    const changes = present ? findBreakingChanges(present.schema, next.schema) : [];
    if (changes.length === 0) return;
    const listed = changes.map(({ description }) => description);
    if (!acceptsBreakingChanges) throw new Error(`The schema breaks what clients may use:\n${listed.join('\n')}`);
    logger.warn('breaking schema accepted', { changes: listed });
  }

  function take(next: Supergraph): void {
    present?.retire();
    present = next;
    next.start();
    refusal = undefined;
    readiness.reach();
  }

  async function poll(): Promise<void> {
    try {
      await refresh();
      waitingFor = '';
    } catch (error) {
      const reason = String(error);
      if (!stopping.signal.aborted && reason !== waitingFor) logger.warn('waiting for a schema', { error: reason });
      waitingFor = reason;
    }
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => void poll(), present ? pollMilliseconds : retryMilliseconds);
    timer.unref();
  }

  return {
    present: () => present,
    fieldScopes: () => fieldScopes,
    refusal: () => refusal,
    async start() {
      if (fixed === undefined) void poll();
      else take(await loadSupergraph(fixed, graphOptions));
    },
    ready: () => readiness.reached,
    stop() {
      stopping.abort();
      clearTimeout(timer);
      present?.close();
    },
  };
}

function createReadiness() {
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach: () => reach() };
}

function callsOf({ pools, logger, now }: SupergraphSourceOptions) {
  const callOf = (service: ServiceName): [string, ServiceCall] => [
    service,
    createServiceCall({ service, ...pools[service], breakers: createBreakers(now), logger, now }),
  ];
  return new Map(calledServices.map(callOf));
}

type Polling = Pick<SupergraphSourceOptions, 'pools' | 'logger' | 'now'>;

async function loadSdls(polling: Polling, signal: AbortSignal): Promise<ServiceSdls> {
  const loaded = await Promise.all(
    Object.entries(polling.pools).map(
      async ([name, { pool }]) => [name, await loadSdl(polling, name, pool, signal)] as const,
    ),
  );
  return new Map(loaded.flatMap(([name, sdl]) => (sdl === undefined ? [] : [[name, sdl] as const])));
}

/** A 404 is a valid answer: the service has no part in the graph. */
async function loadSdl(
  { logger, now }: Polling,
  name: string,
  pool: Pool,
  signal: AbortSignal,
): Promise<string | undefined> {
  const sent = now();
  const { statusCode, headers, body } = await pool
    .request({ method: 'GET', path: '/graphql', headers: { accept: 'text/plain' }, signal })
    .catch((cause: unknown) => {
      throw new Error(`${name} does not answer`, { cause });
    });
  // The poll is the one call that goes to every service all the time, so it compares the clocks as well.
  const theirs = new Date(String(headers[serviceTimeHeader]));
  noteClock(logger, { peer: name, theirs, sent, received: now() });
  if (statusCode === 200) return body.text();
  await body.dump();
  if (statusCode === 404) return undefined;
  throw new Error(`${name} answered ${statusCode} instead of its schema`);
}

/** The SDL of each service that has a part in the graph, by name. */
type ServiceSdls = ReadonlyMap<string, string>;

/** Composes the supergraph of the gateway and `sdls`; throws an error that lists the conflicts. */
export function compose(sdls: ServiceSdls): string {
  const services = [...sdls].map(([name, sdl]) => service(name, parse(sdl)));
  const nodeTypes = new Set(services.flatMap(({ typeDefs }) => nodeTypesOf(typeDefs)));
  const result = composeServices([service('gateway', gatewayTypeDefs(nodeTypes)), ...services]);
  if (result.supergraphSdl !== undefined) return result.supergraphSdl;
  throw new Error((result.errors ?? []).map(({ message }) => message).join('\n'));
}

/** The URL is a dummy: data sources are chosen by name. */
const service = (name: string, typeDefs: DocumentNode) => ({ name, url: `http://${name}/graphql`, typeDefs });
