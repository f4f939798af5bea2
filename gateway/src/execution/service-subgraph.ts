import type { Subgraph } from './subgraph';
import type { ServiceClient } from './service-client';

/** A service as a part of the graph: its requests are put together from texts that are ready. */
export const createServiceSubgraph =
  (client: ServiceClient): Subgraph =>
  ({ queryJson }, variables, context) =>
    client(`{"query":${queryJson},"variables":${variables}}`, context);
