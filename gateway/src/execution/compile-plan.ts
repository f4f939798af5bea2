import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner';
import { entityFetch } from './entity-fetch';
import type { EntityFetch, FetchedPlace } from './entity-fetch';
import { mergeInto, objectsAt } from './response-data';
import type { PlanPath } from './response-data';
import type { PlanRun, Step } from './plan-run';
import { compileRewrites } from './rewrites';
import type { Subgraph } from './subgraph';
import { toFetchOperation, unavailable, variableMembers, withoutName } from './subgraph';
import type { FitsType } from './type-names';

export interface PlanEnvironment {
  readonly subgraphs: ReadonlyMap<string, Subgraph>;
  /** Knows all types, including inaccessible ones. */
  readonly fits: FitsType;
}

/** Compiles a query plan into steps, so that calls do not interpret the plan (Apollo Federation, "Query plans"). */
export function compilePlan({ node }: QueryPlan, environment: PlanEnvironment): Step {
  if (!node) return () => Promise.resolve();
  if (node.kind === 'Subscription') throw new Error('a plan of a subscription cannot be run');
  return compileNode(node, [], environment);
}

function compileNode(node: PlanNode, path: PlanPath, environment: PlanEnvironment): Step {
  switch (node.kind) {
    case 'Sequence':
      return inTurn(node.nodes.map((child) => compileNode(child, path, environment)));
    case 'Parallel':
      return atOnce(compileParallel(node.nodes, path, environment));
    case 'Flatten':
      return compileNode(node.node, [...path, ...node.path.map(String)], environment);
    case 'Fetch':
      return node.requires
        ? entityFetch(toEntityFetch([{ path, when: [] }], node, environment))
        : compileRootFetch(path, node, environment);
    case 'Condition': {
      const { condition, ifClause, elseClause } = node;
      const yes = ifClause && compileNode(ifClause, path, environment);
      const no = elseClause && compileNode(elseClause, path, environment);
      return async (run) => (run.coerced[condition] === true ? yes : no)?.(run);
    }
    case 'Defer':
      throw new Error('a plan with @defer cannot be run');
  }
}

function inTurn(steps: readonly Step[]): Step {
  return async (run) => {
    for (const step of steps) await step(run);
  };
}

function atOnce(steps: readonly Step[]): Step {
  const [only] = steps;
  if (only && steps.length === 1) return only;
  return async (run) => {
    await Promise.all(steps.map((step) => step(run)));
  };
}

/**
 * Merges fetches of the same fields at several places, so that an entity that is selected several times is fetched
 * once.
 */
function compileParallel(nodes: readonly PlanNode[], path: PlanPath, environment: PlanEnvironment): Step[] {
  const steps: Step[] = [];
  const shared = new Map<string, { readonly places: FetchedPlace[]; readonly node: FetchNode }>();
  for (const node of nodes) {
    const found = entityFetchIn(node, path);
    if (!found) {
      steps.push(compileNode(node, path, environment));
      continue;
    }
    const key = sameness(found.fetch);
    const known = shared.get(key);
    if (known) known.places.push(found.place);
    else shared.set(key, { places: [found.place], node: found.fetch });
  }
  for (const { places, node } of shared.values()) steps.push(entityFetch(toEntityFetch(places, node, environment)));
  return steps;
}

/** The single entity fetch that a node consists of, with or without conditions; undefined for any other node. */
function entityFetchIn(
  node: PlanNode,
  path: PlanPath,
): { readonly fetch: FetchNode; readonly place: FetchedPlace } | undefined {
  if (node.kind === 'Flatten' && node.node.kind === 'Fetch' && node.node.requires)
    return { fetch: node.node, place: { path: [...path, ...node.path.map(String)], when: [] } };
  if (node.kind !== 'Condition') return undefined;
  const { condition: variable, ifClause, elseClause } = node;
  const clause = ifClause ?? elseClause;
  if (!clause || (ifClause && elseClause)) return undefined;
  const found = entityFetchIn(clause, path);
  if (!found) return undefined;
  const { place } = found;
  return { ...found, place: { ...place, when: [...place.when, { variable, is: clause === ifClause }] } };
}

const sameness = ({ serviceName, operation, variableUsages, requires, inputRewrites, outputRewrites }: FetchNode) =>
  JSON.stringify([serviceName, withoutName(operation), variableUsages, requires, inputRewrites, outputRewrites]);

function compileRootFetch(path: PlanPath, node: FetchNode, environment: PlanEnvironment): Step {
  const subgraph = subgraphOf(node, environment);
  const operation = toFetchOperation(node.operation);
  const usedVariables = node.variableUsages ?? [];
  const rewrite = compileRewrites(node.outputRewrites, environment.fits);
  return async (run: PlanRun) => {
    const variables = `{${variableMembers(usedVariables, run.variables)}}`;
    const part = await subgraph(operation, variables, run.context);
    if (!part) {
      run.errors.push(...operation.rootKeys.map((key) => unavailable([...path, key])));
      return;
    }
    for (const error of part.errors ?? [])
      run.errors.push(error.path && path.length > 0 ? { ...error, path: [...path, ...error.path] } : error);
    if (!part.data) return;
    rewrite?.(part.data);
    for (const target of objectsAt(run.data, path)) mergeInto(target, part.data);
  };
}

const toEntityFetch = (
  places: readonly FetchedPlace[],
  node: FetchNode,
  environment: PlanEnvironment,
): EntityFetch => ({
  places,
  requires: node.requires ?? [],
  usedVariables: node.variableUsages ?? [],
  operation: toFetchOperation(node.operation),
  subgraph: subgraphOf(node, environment),
  fits: environment.fits,
  rewriteInput: compileRewrites(node.inputRewrites, environment.fits),
  rewriteOutput: compileRewrites(node.outputRewrites, environment.fits),
});

function subgraphOf({ serviceName }: FetchNode, { subgraphs }: PlanEnvironment): Subgraph {
  const subgraph = subgraphs.get(serviceName);
  if (!subgraph) throw new Error(`no subgraph ${serviceName}`);
  return subgraph;
}
