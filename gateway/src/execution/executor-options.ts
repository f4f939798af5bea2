import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { PlanForCall, Planner } from './query-planner';
import type { Subgraph } from './subgraph';

/** What an executor of one supergraph needs. */
export interface ExecutorOptions {
  readonly supergraphSdl: string;
  readonly planner: Planner;
  readonly plan: PlanForCall;
  readonly subgraphs: ReadonlyMap<string, Subgraph>;
  readonly logger: Logger;
}
