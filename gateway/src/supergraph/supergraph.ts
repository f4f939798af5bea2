import { introspectionFromSchema, printSchema } from 'graphql';
import type { GraphQLSchema, IntrospectionQuery } from 'graphql';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Execution, ExecutionResult } from '../execution/executor';
import { loadExecutor } from '../execution/load-executor';
import type { ExecutorSettings } from '../execution/load-executor';
import { createPlanner } from '../execution/query-planner';
import { createDocuments } from './documents';
import type { Documents } from './documents';
import { createNodeLoader } from './load-node';
import { nodeOwnersOf } from './node-owners';
import { createGatewaySubgraph } from './gateway-subgraph';
import type { ServiceClient } from '../execution/service-client';
import type { Subgraph } from '../execution/subgraph';

/** One composed graph, ready to plan and execute; a changed schema is a new one. */
export interface Supergraph {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  execute(execution: Execution): Promise<ExecutionResult>;
  sdl(): string;
  introspection(): IntrospectionQuery;
}

export interface SupergraphOptions {
  readonly services: ReadonlyMap<string, ServiceClient>;
  readonly executors: ExecutorSettings;
  readonly logger: Logger;
}

/** Loads `supergraphSdl`; fetches go to `services` by name, the gateway's own part is answered here. */
export async function loadSupergraph(
  supergraphSdl: string,
  { services, executors, logger }: SupergraphOptions,
): Promise<Supergraph> {
  const planner = createPlanner(supergraphSdl);
  const { schema } = planner;
  const owners = nodeOwnersOf(supergraphSdl);
  const gateway = createGatewaySubgraph(owners.keys(), createNodeLoader(owners, services));
  const subgraphs = new Map([...services].map(([name, client]) => [name, createServiceSubgraph(client)]));
  subgraphs.set('gateway', gateway);
  const execute = await loadExecutor(executors, { supergraphSdl, planner, subgraphs, logger });
  return {
    schema,
    documents: createDocuments(schema),
    async execute(execution) {
      const result = await execute(execution);
      if (result.isIncomplete) logger.error('a service broke the schema', { requestId: execution.context.requestId });
      return result;
    },
    sdl: once(() => printSchema(schema)),
    introspection: once(() => introspectionFromSchema(schema)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A service as a part of the graph: its requests are put together from texts that are ready. */
const createServiceSubgraph =
  (client: ServiceClient): Subgraph =>
  ({ queryJson }, variables, context) =>
    client(`{"query":${queryJson},"variables":${variables}}`, context);
