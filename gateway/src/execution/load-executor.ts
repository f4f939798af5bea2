import { loadApolloExecutor } from './apollo-executor';
import type { ApolloExecutorOptions } from './apollo-executor';
import { createCompiledExecutor } from './compiled-executor';
import type { Executor } from './executor';
import { withShadow } from './shadow';

/** Which executor answers, and the share of queries that the other one runs as well. */
export interface ExecutorSettings {
  readonly chosen: 'compiled' | 'apollo';
  readonly shadowRatio: number;
}

/** The executor for one supergraph; the other one is only there when it is needed. */
export async function loadExecutor(settings: ExecutorSettings, options: ApolloExecutorOptions): Promise<Executor> {
  const { chosen, shadowRatio } = settings;
  const load = async (name: ExecutorSettings['chosen']): Promise<Executor> =>
    name === 'apollo' ? loadApolloExecutor(options) : createCompiledExecutor(options.planner, options.subgraphs);
  const answering = await load(chosen);
  if (shadowRatio === 0) return answering;
  const other = await load(chosen === 'apollo' ? 'compiled' : 'apollo');
  return withShadow(answering, other, { ratio: shadowRatio, random: Math.random, logger: options.logger });
}
