import type { Deadline } from '../transport/deadline';
import type { ConnectionPrice } from '../cost/breakdown';
import type { CostState } from '../callers/cost-state';

/** What `rateLimit` returns about a call. */
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
  /** Aborts when the client has left; undefined for what is carried through nevertheless, as a mutation is. */
  readonly signal?: AbortSignal | undefined;
  /** No client waits for the answer, so that its result must not affect the calls of others. */
  readonly isShadow?: boolean;
}
