import type { Caller } from '../identity/caller';

/** What every resolver of a subgraph gets. */
export interface SubgraphContext {
  readonly caller: Caller;
  readonly requestId: string;
  /** In which the caller wants to read, the best first; see `languagesOf`. */
  readonly languages: readonly string[];
}
