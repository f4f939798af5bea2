import type { ApolloGateway } from '@apollo/gateway';
import type { QueryPlan, QueryPlanCache } from '@apollo/query-planner';
import { GraphQLError, Kind } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { ExecutionResult, Executor, ExecutableOperation } from './executor';
import { createDataSource } from './apollo-data-source';
import type { ApolloCall } from './apollo-data-source';
import { createArrange } from './arrange';
import type { ExecutorOptions } from './executor-options';
import type { Data } from './response-data';
import { asAsked } from './response-keys';

/** The length of all plans in JSON: 2 MiB take 28 MB of the heap. */
const mostOfPlans = 2 * 1024 * 1024;

/**
 * The executor of `@apollo/gateway`: its planner, its execution of plans and its post-processing. Requests to services
 * and answers to clients are the same as with our own executor.
 */
export async function loadApolloExecutor(options: ExecutorOptions): Promise<Executor> {
  const plans = new LRUCache<string, QueryPlan>({
    maxSize: mostOfPlans,
    sizeCalculation: (plan) => JSON.stringify(plan).length,
  });
  const gateway = await createGateway(options, plans);
  const { executor } = await gateway.load();
  const arrange = createArrange(options.planner);
  const arrangedOf = rememberEach(({ document, node }: ExecutableOperation) => {
    const arranged = arrange(document, node);
    return { ...arranged, document: onlyOperation(arranged.document, node) };
  });

  return async ({ operation, variables, coerced, context }) => {
    const arranged = arrangedOf(operation);
    // Its own planner works in this thread, so it finds the plan in its store.
    if (!plans.has(operation.hash))
      plans.set(operation.hash, await options.plan(arranged.document, operation, context));
    const call: ApolloCall = { context, data: {}, isBroken: false };
    const answer = await executor({
      request: { variables },
      document: arranged.document,
      queryHash: operation.hash,
      context: call,
      metrics: {},
      logger: toApolloLogger(options.logger),
      // The executor reads no other members.
    } as unknown as Parameters<typeof executor>[0]);
    return toResult(answer, call, (data) => arranged.textOf(data, coerced));
  };
}

/** Without a name in the request, the key of a plan is the hash of the operation. */
const onlyOperation = (document: DocumentNode, node: OperationDefinitionNode): DocumentNode => ({
  ...document,
  definitions: document.definitions.filter(
    (one) => one.kind !== Kind.OPERATION_DEFINITION || one.name?.value === node.name?.value,
  ),
});

async function createGateway(options: ExecutorOptions, plans: LRUCache<string, QueryPlan>): Promise<ApolloGateway> {
  const { supergraphSdl, planner, subgraphs, logger } = options;
  // The only way to disable its telemetry, which reports hourly to the vendor.
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true'; // eslint-disable-line no-restricted-syntax
  // Imported lazily, so that a gateway with our own executor does not load it.
  const { ApolloGateway } = await import('@apollo/gateway');
  return new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => {
      const subgraph = subgraphs.get(name);
      if (!subgraph) throw new Error(`no subgraph ${name}`);
      return createDataSource(subgraph, planner.fullSchema);
    },
    logger: toApolloLogger(logger),
    validateSupergraph: false,
    __exposeQueryPlanExperimental: false,
    queryPlannerConfig: { cache: toApolloStore(plans) },
  });
}

const toApolloStore = (plans: LRUCache<string, QueryPlan>): QueryPlanCache => ({
  get: (hash) => Promise.resolve(plans.get(hash)),
  set: (hash, plan) => Promise.resolve(void plans.set(hash, plan)),
  delete: (hash) => Promise.resolve(plans.delete(hash)),
  clear: () => plans.clear(),
});

const toApolloLogger = (logger: Logger) => ({
  debug() {},
  info() {},
  warn: (warning: unknown) => logger.warn('@apollo/gateway', { warning: String(warning) }),
  error: (error: unknown) => logger.error('@apollo/gateway', { error: String(error) }),
});

type Answer = Awaited<ReturnType<ApolloGateway['executor']>>;

function toResult(
  { data, errors = [], extensions }: Answer,
  call: ApolloCall,
  textOf: (data: Data) => string,
): ExecutionResult {
  const fault = errors.find((error) => !(error instanceof GraphQLError));
  if (data === undefined || fault) throw new Error('no answer was put together', { cause: fault ?? errors[0] });
  return {
    data: data === null ? 'null' : textOf(data),
    errors: errors.map(({ message, path, extensions: { code } }) =>
      asAsked({ message, ...(path && { path }), extensions: { code } }),
    ),
    isIncomplete: errors.length === 0 && (call.isBroken || extensions?.['valueCompletion'] !== undefined),
  };
}

function rememberEach<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
