import { askEntities, askMergedEntities } from './entity-request';
import type { EntityAnswer } from './entity-request';
import type { ExecutionContext } from './executor';
import type { MergeOperations } from './merged-operation';
import { variableMembers } from './subgraph';
import type { FetchOperation, Subgraph } from './subgraph';

/** The part of an entity fetch that does not depend on the entities. */
interface EntityQuery {
  readonly operation: FetchOperation;
  readonly subgraph: Subgraph;
  /** The client's variables that the query uses. */
  readonly usedVariables: readonly string[];
}

/** The entity fetches of one run that wait for the end of the current turn of the event loop. */
export interface DueFetches {
  /** Queues the entities of these representations (JSON texts) for the next request. */
  ask(query: EntityQuery, representations: readonly string[]): Promise<EntityAnswer>;
}

interface Due {
  readonly query: EntityQuery;
  readonly representations: readonly string[];
  readonly resolve: (answer: EntityAnswer | Promise<EntityAnswer>) => void;
  readonly reject: (error: unknown) => void;
}

interface Run {
  /** As the client sent them, without defaults. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: ExecutionContext;
}

/** Limit of entities in one merged request. A larger answer would delay every part until all of it is complete. */
const mostMerged = 1_000;

/**
 * Merges the fetches from one service that become due in the same turn, whichever plan steps they belong to. A fetch
 * never waits for another one's answer, so a slow service delays only what depends on it.
 */
export function createDueFetches(merge: MergeOperations, { variables, context }: Run): DueFetches {
  let due: Due[] = [];

  function sendAll(): void {
    const ofSubgraphs = bySubgraph(due);
    due = [];
    for (const [subgraph, parts] of ofSubgraphs)
      send(subgraph, parts).catch((error: unknown) => {
        for (const { reject } of parts) reject(error);
      });
  }

  async function send(subgraph: Subgraph, parts: readonly Due[]): Promise<void> {
    const count = parts.reduce((sum, { representations }) => sum + representations.length, 0);
    // Sorted, so that the same set of fetches gives the same operation in any order of arrival.
    const sorted = [...parts].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
    const operation = parts.length > 1 && count <= mostMerged ? merge(sorted.map(textOf)) : undefined;
    if (!operation) {
      for (const part of parts) sendAlone(part);
      return;
    }
    const usedVariables = new Set(sorted.flatMap(({ query }) => query.usedVariables));
    const representations = sorted.map((part) => part.representations);
    const otherVariables = variableMembers([...usedVariables], variables);
    const answers = await askMergedEntities(subgraph, { operation, representations, otherVariables }, context);
    for (const [at, answer] of answers.entries()) sorted[at]?.resolve(answer);
  }

  function sendAlone({ query, representations, resolve }: Due): void {
    const { operation, subgraph, usedVariables } = query;
    const otherVariables = variableMembers(usedVariables, variables);
    resolve(askEntities(subgraph, { operation, representations, otherVariables }, context));
  }

  return {
    ask: (query, representations) =>
      new Promise((resolve, reject) => {
        if (due.length === 0) setImmediate(sendAll);
        due.push({ query, representations, resolve, reject });
      }),
  };
}

const textOf = ({ query }: Due): string => query.operation.query;

function bySubgraph(due: readonly Due[]): ReadonlyMap<Subgraph, readonly Due[]> {
  const groups = new Map<Subgraph, Due[]>();
  for (const one of due) {
    const { subgraph } = one.query;
    const group = groups.get(subgraph);
    if (group) group.push(one);
    else groups.set(subgraph, [one]);
  }
  return groups;
}
