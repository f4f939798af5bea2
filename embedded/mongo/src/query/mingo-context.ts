import { Context } from 'mingo/core';
import * as accumulators from 'mingo/operators/accumulator';
import * as expressions from 'mingo/operators/expression';
import * as stages from 'mingo/operators/pipeline';
import * as projections from 'mingo/operators/projection';
import * as queries from 'mingo/operators/query';
import * as windows from 'mingo/operators/window';
import type { Options } from 'mingo/types';
import { comparisonPredicates } from './comparison-predicates';
import { typePredicates } from './type-predicates';

/** mingo's query operators, with those replaced that must know BSON types and BSON's comparison order. */
const query = { ...queries, ...comparisonPredicates, ...typePredicates };

/** Stages that write into collections are none of mingo's business here. */
const readingStages = Object.fromEntries(
  Object.entries(stages).filter(([name]) => name !== '$out' && name !== '$merge'),
);

/** The stages an aggregation may have. */
export const pipelineStages: ReadonlySet<string> = new Set(Object.keys(readingStages));

const context = Context.init({
  accumulator: accumulators,
  expression: expressions,
  pipeline: readingStages,
  projection: projections,
  query,
  window: windows,
});

/** mingo copies the whole context for each query it compiles, so that filters without expressions get a small one. */
export const filterOptions: Partial<Options> & { context: Context } = {
  scriptEnabled: false,
  context: Context.init({ query }),
};

/** Options for mingo: no scripts run, other collections are read through the resolver. */
export const mingoOptions = (options: Partial<Options> = {}): Partial<Options> & { context: Context } => ({
  scriptEnabled: false,
  ...options,
  context,
});
