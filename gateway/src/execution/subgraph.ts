import type { ExecutionContext } from './execution-context';
import type { ServicePart } from './service-client';

/** What one fetch of a plan asks, the same on every call. */
export interface FetchOperation {
  readonly query: string;
  /** `query` as JSON text. */
  readonly queryJson: string;
  /** The response keys of its root, `_entities` left out. */
  readonly rootKeys: readonly string[];
}

/** Runs an operation with the JSON text of its variables; undefined when the subgraph is out of reach. */
export type Subgraph = (
  operation: FetchOperation,
  variables: string,
  context: ExecutionContext,
) => Promise<ServicePart | undefined>;
