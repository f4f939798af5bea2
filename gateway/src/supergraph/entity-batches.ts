import type { GraphQLFormattedError } from 'graphql';
import { unavailable } from '../execution/plan-run';
import type { ExecutionContext } from '../execution/execution-context';
import type { ServiceClient } from '../execution/service-client';

/** Names an entity to its service (Apollo Federation, "Entities"). */
export interface EntityReference {
  readonly __typename: string;
  readonly id: string;
}

/** Whether the caller sees the entity, and what the service said about it. */
export interface FoundEntity {
  readonly isFound: boolean;
  readonly errors: readonly GraphQLFormattedError[];
}

export type FindEntity = (reference: EntityReference, context: ExecutionContext) => Promise<FoundEntity>;

/** One request in the making: the entities asked for, each once, and what came of it. */
interface Batch {
  readonly representations: Map<string, number>;
  readonly answer: Promise<Answer>;
}

interface Answer {
  readonly entities: readonly unknown[];
  readonly errors: readonly GraphQLFormattedError[];
}

const query = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }';

/** Asks a service once for the entities that a call looks for at the same time. */
export function createEntityBatches(client: ServiceClient): FindEntity {
  const gathering = new WeakMap<ExecutionContext, Batch>();

  async function send(representations: ReadonlyMap<string, number>, context: ExecutionContext): Promise<Answer> {
    const body = `{"query":${JSON.stringify(query)},"variables":{"representations":[${[...representations.keys()].join(',')}]}}`;
    const part = await client(body, context);
    const entities = part?.data?.['_entities'];
    const isAnswered = part?.data === null || (Array.isArray(entities) && entities.length === representations.size);
    if (!part || (part.data !== undefined && !isAnswered)) return { entities: [], errors: [unavailable()] };
    return { entities: Array.isArray(entities) ? entities : [], errors: part.errors ?? [] };
  }

  function openBatch(context: ExecutionContext): Batch {
    const representations = new Map<string, number>();
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      gathering.delete(context);
      return send(representations, context);
    });
    const batch = { representations, answer };
    gathering.set(context, batch);
    return batch;
  }

  return async (reference, context) => {
    const { representations, answer } = gathering.get(context) ?? openBatch(context);
    const text = JSON.stringify(reference);
    const position = representations.get(text) ?? representations.size;
    representations.set(text, position);
    const { entities, errors } = await answer;
    const concerns = ({ path }: GraphQLFormattedError): boolean =>
      typeof path?.[1] !== 'number' || path[1] === position;
    return { isFound: Boolean(entities[position]), errors: errors.filter(concerns) };
  };
}
