import { loadApolloExecutor } from './apollo-executor';
import { createCompiledExecutor } from './compiled-executor';
import type { Executor } from './executor';
import type { ExecutorOptions } from './executor-options';
import { withShadow } from './shadow';

/** The executor that answers, and the share of queries that are shadowed with the other one. */
export interface ExecutorSettings {
  readonly chosen: 'compiled' | 'apollo';
  readonly shadowRatio: number;
}

/** Loads the executor for one supergraph; the other executor is loaded only when queries are shadowed. */
export async function loadExecutor(settings: ExecutorSettings, options: ExecutorOptions): Promise<Executor> {
  const { chosen, shadowRatio } = settings;
  const load = async (name: ExecutorSettings['chosen']): Promise<Executor> =>
    name === 'apollo' ? loadApolloExecutor(options) : createCompiledExecutor(options);
  const answering = await load(chosen);
  if (shadowRatio === 0) return answering;
  const other = await load(chosen === 'apollo' ? 'compiled' : 'apollo');
  return withShadow(answering, other, { ratio: shadowRatio, random: Math.random, logger: options.logger });
}
