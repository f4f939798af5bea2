import type { Deadline } from '../transport/deadline';
import type { ConnectionPrice } from '../cost/breakdown';
import type { CostState } from '../callers/cost-state';

/** What `rateLimit` tells about a call. */
export interface CallPrice extends CostState {
  readonly nodeCount: number;
  breakdown(): readonly ConnectionPrice[];
}

/** What travels with one call to the services. */
export interface ExecutionContext {
  readonly callerToken: string;
  readonly accountId: string;
  readonly requestId: string;
  readonly clientAddress: string;
  /** Headers that say in which languages the client reads: names and values in turn. */
  readonly languages: readonly string[];
  readonly rateLimit: CallPrice;
  readonly deadline: Deadline;
  /** Nobody waits for the answer, so that what comes of it says nothing about what others are to expect. */
  readonly isShadow?: boolean;
}
