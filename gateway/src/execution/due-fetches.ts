import { askEntities, askMergedEntities } from './entity-request';
import type { EntityAnswer } from './entity-request';
import type { ExecutionContext } from './executor';
import type { MergeOperations } from './merged-operation';
import { variableMembers } from './subgraph';
import type { FetchOperation, Subgraph } from './subgraph';

/** What a fetch of entities asks, whatever they are. */
interface EntityQuery {
  readonly operation: FetchOperation;
  readonly subgraph: Subgraph;
  /** The names of the client's variables in it. */
  readonly usedVariables: readonly string[];
}

/** The fetches of entities of one run that wait for the end of the present turn of the event loop. */
export interface DueFetches {
  /** Asks for the entities of these representations, JSON texts. */
  ask(query: EntityQuery, representations: readonly string[]): Promise<EntityAnswer>;
}

interface Due {
  readonly query: EntityQuery;
  readonly representations: readonly string[];
  readonly resolve: (answer: EntityAnswer | Promise<EntityAnswer>) => void;
  readonly reject: (error: unknown) => void;
}

interface Run {
  /** As the client sent them. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: ExecutionContext;
}

/** Entities in one merged request. More would mean a large answer, of which nothing could be used before it is complete. */
const mostMerged = 1_000;

/**
 * Fetches from one service that become due in the same turn go in one request, whatever steps of the plan they belong to. No fetch
 * waits for the answer to another one, so that a slow service holds up only what depends on it.
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
    // The same fetches make the same operation in whatever order they become due.
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
