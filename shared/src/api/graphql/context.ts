import type { Caller } from '../identity/caller';

/** The context of every resolver of a subgraph. */
export interface SubgraphContext {
  readonly caller: Caller;
  readonly requestId: string;
  /** The caller's preferred languages, best first; see `languagesOf`. */
  readonly languages: readonly string[];
}
