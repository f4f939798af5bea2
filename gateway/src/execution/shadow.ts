import { OperationTypeNode } from 'graphql';
import { Counter } from 'prom-client';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { findDifference } from './differences';
import type { Difference } from './differences';
import type { Execution, ExecutionResult, Executor } from './executor';

/** Outcomes of queries that were sampled for a shadow run. */
export const shadowQueries = new Counter({
  name: 'gateway_shadow_queries_total',
  help: 'GraphQL queries that were sampled to be run by both executors, by what the comparison found',
  labelNames: ['outcome'],
});

// Initialised to zero: a series that starts with its first difference shows no increase to an alert.
for (const outcome of ['same', 'changed', 'data', 'errors', 'failed', 'dropped']) shadowQueries.inc({ outcome }, 0);

export interface ShadowOptions {
  /** Share of the queries, from 0 to 1. */
  readonly ratio: number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly logger: Logger;
}

/** The result of one execution; undefined when it failed. */
type Outcome = ExecutionResult | undefined;

/** Concurrent shadow runs; more would slow down the calls of clients. */
const mostAtOnce = 4;

/**
 * Answers with `chosen`. A sample of the queries also runs in `other`, after the answer is sent; differences are
 * counted and logged. Mutations are never sampled.
 */
export function withShadow(chosen: Executor, other: Executor, { ratio, random, logger }: ShadowOptions): Executor {
  let running = 0;

  async function compare(execution: Execution, first: Outcome): Promise<void> {
    const shadowed = { ...execution, context: { ...execution.context, isShadow: true } };
    const outcome = await compared(
      first,
      () => outcomeOf(other, shadowed),
      () => outcomeOf(chosen, shadowed),
    );
    if (typeof outcome === 'string') return void shadowQueries.inc({ outcome });
    shadowQueries.inc({ outcome: outcome.kind });
    const { node, hash } = execution.operation;
    const operation = node.name?.value;
    logger.warn('executors differ', { ...outcome, operation, hash, requestId: execution.context.requestId });
  }

  function sample(execution: Execution, first: Outcome): void {
    if (execution.operation.node.operation !== OperationTypeNode.QUERY || random() >= ratio) return;
    if (running >= mostAtOnce) return void shadowQueries.inc({ outcome: 'dropped' });
    running += 1;
    // Lets the answer be sent first.
    setImmediate(() => {
      void compare(execution, first).finally(() => (running -= 1));
    });
  }

  return async (execution) => {
    try {
      const result = await chosen(execution);
      sample(execution, result);
      return result;
    } catch (error) {
      sample(execution, undefined);
      throw error;
    }
  };
}

const outcomeOf = (execute: Executor, execution: Execution): Promise<Outcome> =>
  execute(execution).catch(() => undefined);

/** Repeats the first execution before it reports a difference: data may have changed between the two. */
async function compared(
  first: Outcome,
  ask: () => Promise<Outcome>,
  askAgain: () => Promise<Outcome>,
): Promise<Difference | 'same' | 'changed'> {
  const difference = findDifference(first, await ask());
  if (!difference) return 'same';
  return findDifference(first, await askAgain()) ? 'changed' : difference;
}
