import { introspectionFromSchema, printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { largeCallNodes } from '../callers/calls-in-flight';
import type { Execution, ServedResult } from '../execution/executor';
import { createServiceClient } from '../execution/service-client';
import type { ServiceCall, ServiceClient } from '../execution/service-client';
import { createFixedText } from '../transport/fixed-text';
import type { FixedText } from '../transport/fixed-text';
import { createDocuments } from './documents';
import type { Documents } from './documents';
import { createLargeCalls } from './large-calls';
import { loadExecution } from './load-execution';
import type { ExecutionOptions } from './load-execution';

/** One composed graph, ready to plan and execute; immutable: a changed schema makes a new one. */
export interface Supergraph {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  execute(execution: Execution): Promise<ServedResult>;
  sdl(): FixedText;
  /** The result of the introspection query, as JSON. */
  introspection(): FixedText;
  /** Ends its worker thread. */
  close(): void;
}

export type SupergraphOptions = ExecutionOptions<ServiceCall>;

/** Loads `supergraphSdl`. */
export async function loadSupergraph(
  supergraphSdl: string,
  { services, executors, logger }: SupergraphOptions,
): Promise<Supergraph> {
  const clients = new Map(
    [...services].map(([name, call]): [string, ServiceClient] => [name, createServiceClient(name, call, logger)]),
  );
  const { planner, execute } = await loadExecution(supergraphSdl, { services: clients, executors, logger });
  const { schema } = planner;
  const largeCalls = createLargeCalls({ supergraphSdl, executor: executors.chosen }, services, logger);
  const isLarge = ({ context }: Execution): boolean => context.rateLimit.nodeCount >= largeCallNodes;
  return {
    schema,
    documents: createDocuments(schema),
    async execute(execution) {
      const result = await (isLarge(execution) ? largeCalls.execute(execution) : execute(execution));
      if (result.isIncomplete) logger.error('a service broke the schema', { requestId: execution.context.requestId });
      return result;
    },
    sdl: once(() => createFixedText(printSchema(schema))),
    introspection: once(() => createFixedText(JSON.stringify({ data: introspectionFromSchema(schema) }))),
    close: () => largeCalls.close(),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
