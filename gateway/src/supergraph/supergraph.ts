import { introspectionFromSchema, printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { largeCallNodes } from '../callers/calls-in-flight';
import type { Execution, ServedResult } from '../execution/executor';
import { createServiceClient } from '../execution/service-client';
import type { ServiceCall, ServiceClient } from '../execution/service-client';
import { createFixedText } from '../transport/fixed-text';
import type { FixedText } from '../transport/fixed-text';
import { createDocuments, isShort } from './documents';
import type { DocumentErrors, Documents } from './documents';
import { createLargeCalls } from './large-calls';
import { loadExecution } from './load-execution';
import type { ExecutionOptions } from './load-execution';
import { createPlanning } from './planning';
import type { Asker, PlanningOptions } from './planning';

/** One composed graph, ready to plan and execute; immutable: a changed schema makes a new one. */
export interface Supergraph {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  /** The errors of a new document, found in another thread; undefined for a short one, which `documents` checks itself. */
  check(query: string, operationName: string | undefined, asker: Asker): Promise<DocumentErrors> | undefined;
  execute(execution: Execution): Promise<ServedResult>;
  sdl(): FixedText;
  /** The result of the introspection query, as JSON. */
  introspection(): FixedText;
  /** Called when it is served, and when another takes its place: calls that began on it finish on it. */
  start(): void;
  retire(): void;
  /** Ends its worker threads. */
  close(): void;
}

export interface SupergraphOptions extends Omit<ExecutionOptions<ServiceCall>, 'planElsewhere'> {
  readonly planning?: PlanningOptions | undefined;
}

/** Loads `supergraphSdl`. */
export async function loadSupergraph(
  supergraphSdl: string,
  { services, executors, logger, planning: planningOptions }: SupergraphOptions,
): Promise<Supergraph> {
  const clients = new Map(
    [...services].map(([name, call]): [string, ServiceClient] => [name, createServiceClient(name, call, logger)]),
  );
  const planning = createPlanning(supergraphSdl, logger, planningOptions);
  const { planner, execute } = await loadExecution(supergraphSdl, {
    services: clients,
    executors,
    logger,
    planElsewhere: planning.plan,
  });
  const { schema } = planner;
  const largeCalls = createLargeCalls({ supergraphSdl, executor: executors.chosen }, services, logger);
  const isLarge = ({ context }: Execution): boolean => context.rateLimit.nodeCount >= largeCallNodes;
  return {
    schema,
    documents: createDocuments(schema),
    check: (query, operationName, asker) => (isShort(query) ? undefined : planning.check(query, operationName, asker)),
    async execute(execution) {
      const result = await (isLarge(execution) ? largeCalls.execute(execution) : execute(execution));
      if (result.isIncomplete) logger.error('a service broke the schema', { requestId: execution.context.requestId });
      return result;
    },
    sdl: once(() => createFixedText(printSchema(schema))),
    introspection: once(() => createFixedText(JSON.stringify({ data: introspectionFromSchema(schema) }))),
    start: () => planning.start(),
    retire: () => planning.retire(),
    close() {
      largeCalls.close();
      planning.close();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
