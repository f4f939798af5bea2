import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Executor } from '../execution/executor';
import { loadExecutor } from '../execution/load-executor';
import type { ExecutorSettings } from '../execution/load-executor';
import { createPlanner, planHere } from '../execution/query-planner';
import type { PlanForCall, Planner } from '../execution/query-planner';
import type { ServiceClient } from '../execution/service-client';
import type { Subgraph } from '../execution/subgraph';
import { createGatewaySubgraph } from './gateway-subgraph';
import { createNodeLoader } from './load-node';
import { nodeOwnersOf } from './node-owners';

export interface ExecutionOptions<Service = ServiceClient> {
  /** By name, without the gateway's own subgraph. */
  readonly services: ReadonlyMap<string, Service>;
  readonly executors: ExecutorSettings;
  readonly logger: Logger;
  /** Plans operations of more than a few fields in another thread; without it all are planned in this one. */
  readonly planElsewhere?: PlanForCall;
}

/** Loads the query planner of a supergraph, and the executor. */
export async function loadExecution(
  supergraphSdl: string,
  { services, executors, logger, planElsewhere }: ExecutionOptions,
): Promise<{ readonly planner: Planner; readonly execute: Executor }> {
  const planner = createPlanner(supergraphSdl);
  const owners = nodeOwnersOf(supergraphSdl);
  const gateway = createGatewaySubgraph(owners.keys(), createNodeLoader(owners, services));
  const subgraphs = new Map([...services].map(([name, client]) => [name, createServiceSubgraph(client)]));
  subgraphs.set('gateway', gateway);
  const here = planHere(planner);
  const plan: PlanForCall = (document, operation, context) =>
    (operation.isSmall ? here : (planElsewhere ?? here))(document, operation, context);
  return { planner, execute: await loadExecutor(executors, { supergraphSdl, planner, plan, subgraphs, logger }) };
}

/** A service as a subgraph: the request body is concatenated from JSON texts instead of being serialised. */
const createServiceSubgraph =
  (client: ServiceClient): Subgraph =>
  ({ queryJson }, variables, context) =>
    client(`{"query":${queryJson},"variables":${variables}}`, context);
