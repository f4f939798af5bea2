import { OperationTypeNode } from 'graphql';
import { Counter } from 'prom-client';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { findDifference } from './differences';
import type { Difference } from './differences';
import type { Execution, ExecutionResult, Executor } from './executor';

/** What came of queries that were sampled for both executors. */
export const shadowQueries = new Counter({
  name: 'gateway_shadow_queries_total',
  help: 'GraphQL queries that were sampled to be run by both executors, by what the comparison found',
  labelNames: ['outcome'],
});

// A series that begins with its first difference would look as if there had been no change.
for (const outcome of ['same', 'changed', 'data', 'errors', 'failed', 'dropped']) shadowQueries.inc({ outcome }, 0);

export interface ShadowOptions {
  /** Share of the queries, from 0 to 1. */
  readonly ratio: number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly logger: Logger;
}

/** What became of one execution; undefined when it failed. */
type Outcome = ExecutionResult | undefined;

/** More would take from callers what they wait for. */
const mostAtOnce = 4;

/**
 * Answers with `chosen`. A share of the queries is run by `other` as well, once they are answered; differences are counted and
 * logged. Mutations never.
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
    // The answer goes first.
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

/** What changed while both were asked is no difference of theirs: the first is asked again before any is believed. */
async function compared(
  first: Outcome,
  ask: () => Promise<Outcome>,
  askAgain: () => Promise<Outcome>,
): Promise<Difference | 'same' | 'changed'> {
  const difference = findDifference(first, await ask());
  if (!difference) return 'same';
  return findDifference(first, await askAgain()) ? 'changed' : difference;
}
