import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import type { ExecutionContext } from '../execution/executor';
import type { ServiceClient } from '../execution/service-client';
import type { NodeOwners } from './node-owners';
import { unavailable } from '../execution/subgraph';

/** The reference by which the record's owner resolves its other fields. */
export interface NodeReference {
  readonly __typename: string;
  readonly id: string;
}

export type LoadNode = (id: string, context: ExecutionContext) => Promise<NodeReference | null>;

/**
 * Resolves a global id to a reference if the caller may see the record. Malformed, unknown and foreign ids are `null`;
 * a missing scope and an unreachable service are errors.
 */
export function createNodeLoader(owners: NodeOwners, services: ReadonlyMap<string, ServiceClient>): LoadNode {
  const batches = new Map([...services].map(([name, client]) => [name, createEntityBatches(client)]));
  return async (id, context) => {
    const type = typeIn(id);
    const ask = batches.get(owners.get(type) ?? '');
    if (!ask) return null;
    const reference = { __typename: type, id };
    const { isFound, errors } = await ask(reference, context);
    if (isFound) return reference;
    const error = errors.find(({ extensions }) => extensions?.['code'] !== 'NOT_FOUND');
    if (error) throw new GraphQLError(error.message, { extensions: { code: error.extensions?.['code'] } });
    return null;
  };
}

/** The type that a node id names; its owner validates the rest. */
function typeIn(id: string): string {
  if (id.length > 512 || !/^[\w-]+$/.test(id)) return '';
  const decoded = Buffer.from(id, 'base64url').toString('utf8');
  return /^[^/]+\/([A-Za-z]+)\/[\w-]+$/.exec(decoded)?.[1] ?? '';
}

/** The representation of an entity (Apollo Federation, "Entities"). */
interface EntityReference {
  readonly __typename: string;
  readonly id: string;
}

/** Whether the caller sees the entity, and the errors of the service. */
interface FoundEntity {
  readonly isFound: boolean;
  readonly errors: readonly GraphQLFormattedError[];
}

type FindEntity = (reference: EntityReference, context: ExecutionContext) => Promise<FoundEntity>;

/** A pending request: the entities, without duplicates, and the promise of the answer. */
interface Batch {
  readonly representations: Map<string, number>;
  readonly answer: Promise<Answer>;
}

interface Answer {
  readonly entities: readonly unknown[];
  readonly errors: readonly GraphQLFormattedError[];
}

const query = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }';

/** Batches the entities that a call looks up at the same time into one request per service. */
function createEntityBatches(client: ServiceClient): FindEntity {
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
