import { introspectionFromSchema, printSchema } from 'graphql';
import type { GraphQLSchema, IntrospectionQuery } from 'graphql';
import type { Logger } from '@itsm/shared/logs/logger';
import { createCompiledExecutor } from '../execution/compiled-executor';
import type { Execution, ExecutionResult } from '../execution/executor';
import { createPlanner } from '../execution/query-planner';
import { createDocuments } from '../graphql/documents';
import type { Documents } from '../graphql/documents';
import { createNodeLoader } from '../nodes/load-node';
import { nodeOwnersOf } from '../nodes/node-owners';
import { createGatewaySubgraph } from './gateway-subgraph';
import { createServiceSubgraph } from './service-subgraph';
import type { ServiceClient } from './service-client';

/** One composed graph, ready to plan and execute; a changed schema is a new one. */
export interface Supergraph {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  execute(execution: Execution): Promise<ExecutionResult>;
  sdl(): string;
  introspection(): IntrospectionQuery;
}

/** Loads `supergraphSdl`; fetches go to `services` by name, the gateway's own part is answered here. */
export function loadSupergraph(
  supergraphSdl: string,
  services: ReadonlyMap<string, ServiceClient>,
  logger: Logger,
): Supergraph {
  const planner = createPlanner(supergraphSdl);
  const { schema } = planner;
  const owners = nodeOwnersOf(supergraphSdl);
  const gateway = createGatewaySubgraph(owners.keys(), createNodeLoader(owners, services));
  const subgraphs = new Map([...services].map(([name, client]) => [name, createServiceSubgraph(client)]));
  const execute = createCompiledExecutor(planner, subgraphs.set('gateway', gateway));
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
