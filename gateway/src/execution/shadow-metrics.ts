import { Counter } from 'prom-client';

/** What came of queries that were sampled for both executors. */
export const shadowQueries = new Counter({
  name: 'gateway_shadow_queries_total',
  help: 'GraphQL queries that were sampled to be run by both executors, by what the comparison found',
  labelNames: ['outcome'],
});
