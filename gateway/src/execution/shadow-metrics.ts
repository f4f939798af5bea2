import { Counter } from 'prom-client';

/** What came of queries that were sampled for both executors. */
export const shadowQueries = new Counter({
  name: 'gateway_shadow_queries_total',
  help: 'GraphQL queries that were sampled to be run by both executors, by what the comparison found',
  labelNames: ['outcome'],
});

// A series that begins with its first difference would look as if there had been no change.
for (const outcome of ['same', 'changed', 'data', 'errors', 'failed', 'dropped']) shadowQueries.inc({ outcome }, 0);
