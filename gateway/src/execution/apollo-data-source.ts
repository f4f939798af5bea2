import type { GraphQLDataSource } from '@apollo/gateway';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ExecutionContext } from './executor';
import { compileAnswerShape } from './answer-shape';
import type { FitAnswer } from './answer-shape';
import { askEntities } from './entity-request';
import type { EntityAnswer, EntityError } from './entity-request';
import type { FetchOperation, Subgraph } from './subgraph';
import { toFetchOperation, unavailable, variableMembers } from './subgraph';
import { copyOf, isData, mergeInto, ownMember, objectsAt } from './response-data';
import type { Data } from './response-data';

/** One call on its way through `@apollo/gateway`. */
export interface ApolloCall {
  readonly context: ExecutionContext;
  /** The partial response; the executor works on the same objects. */
  readonly data: Data;
  /** Whether a service's answer did not match its schema. */
  isBroken: boolean;
}

interface Fetch {
  readonly operation: FetchOperation;
  readonly fit: FitAnswer;
}

/** Entities that several fetches request in one tick. */
interface Batch {
  /** The index of each representation in the request, by its JSON text. */
  readonly positions: Map<string, number>;
  readonly answer: Promise<EntityAnswer>;
  /** The indices that were handed out already. Later fetches get copies, as the executor writes into the objects. */
  readonly handedOut: Set<unknown>;
}

const mostBytes = 16 * 1024 * 1024;
/** Heap per character: the query's text and everything that is built from it. */
const bytesOfCharacter = 40;

/**
 * Sends the fetches of `@apollo/gateway` as our own executor would: the same requests, each entity once, the same
 * errors.
 */
export function createDataSource(subgraph: Subgraph, schema: GraphQLSchema): GraphQLDataSource {
  const fetches = new LRUCache<string, Fetch>({ maxSize: mostBytes });
  const gathering = new WeakMap<ApolloCall, Map<string, Batch>>();

  function fetchOf(query: string): Fetch {
    const known = fetches.get(query);
    if (known) return known;
    const operation = toFetchOperation(query);
    const fetch = { operation, fit: compileAnswerShape(schema, query) };
    fetches.set(query, fetch, { size: query.length * bytesOfCharacter });
    return fetch;
  }

  async function fetchRoot({ operation, fit }: Fetch, { variables, path }: Asked, call: ApolloCall): Promise<Answer> {
    const names = Object.keys(variables);
    const part = await subgraph(operation, `{${variableMembers(names, variables)}}`, call.context);
    if (!part) return { data: null, errors: operation.rootKeys.map((key) => unavailable([key])) };
    if (part.data) {
      if (fit(part.data)) call.isBroken = true;
      for (const target of objectsAt(call.data, path)) mergeInto(target, part.data);
    }
    return { data: part.data ?? null, errors: part.errors ?? [] };
  }

  async function fetchEntities(fetch: Fetch, asked: Asked, call: ApolloCall): Promise<Answer> {
    const { representations, ...others } = asked.variables;
    const objects = representations as readonly Data[];
    const batch = batchOf(fetch, variableMembers(Object.keys(others), others), call);
    const positions = objects.map((object) => positionOf(batch.positions, JSON.stringify(object)));
    const { entities, errors } = await batch.answer;
    const own = (position: number): unknown => {
      const entity = entities[position];
      if (batch.handedOut.has(position)) return copyOf(entity);
      batch.handedOut.add(position);
      return entity;
    };
    const data = { _entities: positions.map(own) };
    const places = errors.length > 0 ? placesOf(objects, objectsAt(call.data, asked.path)) : [];
    return { data, errors: errors.flatMap((error) => errorsAt(error, positions, places, batch.handedOut)) };
  }

  /** Fetches of one tick share a request. */
  function batchOf(fetch: Fetch, otherVariables: string, call: ApolloCall): Batch {
    const batches = gathering.get(call) ?? new Map<string, Batch>();
    gathering.set(call, batches);
    const key = `${fetch.operation.query} ${otherVariables}`;
    const open = batches.get(key);
    if (open) return open;
    const positions = new Map<string, number>();
    const answer = Promise.resolve().then(async () => {
      batches.delete(key);
      const request = { operation: fetch.operation, representations: [...positions.keys()], otherVariables };
      const found = await askEntities(subgraph, request, call.context);
      if (fetch.fit({ _entities: found.entities })) call.isBroken = true;
      return found;
    });
    const batch = { positions, answer, handedOut: new Set() };
    batches.set(key, batch);
    return batch;
  }

  return {
    process({ request, context, ...more }) {
      const fetch = fetchOf(request.query ?? '');
      const path = ('pathInIncomingRequest' in more && more.pathInIncomingRequest) || [];
      const asked = { variables: request.variables ?? {}, path: path.map(String) };
      const call = context as ApolloCall;
      return fetch.operation.rootKeys.length > 0 ? fetchRoot(fetch, asked, call) : fetchEntities(fetch, asked, call);
    },
  };
}

/** What a fetch of the plan asks with, and the place in the answer that it is for. */
interface Asked {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly path: readonly string[];
}

/** What a fetch contributes. */
interface Answer {
  readonly data: Data | null;
  readonly errors: GraphQLFormattedError[];
}

/** The position of a representation in the request that its batch sends; equal ones are sent once. */
function positionOf(positions: Map<string, number>, text: string): number {
  const position = positions.get(text) ?? positions.size;
  positions.set(text, position);
  return position;
}

/**
 * The error of an entity is repeated for each place that requested it; an error of the whole request goes to the first
 * fetch only.
 */
function errorsAt(
  { error, position, path, isOfAll }: EntityError,
  positions: readonly number[],
  places: readonly number[],
  reported: Set<unknown>,
): GraphQLFormattedError[] {
  const at = positions.flatMap((own, index) => (own === position ? [places[index] ?? index] : []));
  if (!isOfAll) return at.map((place) => ({ ...error, path: ['_entities', place, ...path] }));
  if (at.length === 0 || reported.has(error)) return [];
  reported.add(error);
  return [{ ...error, path: ['_entities', at[0] ?? 0] }];
}

/**
 * Maps each representation to its object at the path. The executor numbers all objects there, but sends no
 * representation for those of other types.
 */
function placesOf(representations: readonly Data[], objects: readonly Data[]): number[] {
  let next = 0;
  return representations.map((representation, index) => {
    const found = objects.findIndex((object, place) => place >= next && covers(object, representation));
    if (found < 0) return index;
    next = found + 1;
    return found;
  });
}

function covers(value: unknown, part: unknown): boolean {
  if (Array.isArray(part)) return Array.isArray(value) && part.every((member, index) => covers(value[index], member));
  if (isData(part)) return isData(value) && Object.keys(part).every((key) => covers(ownMember(value, key), part[key]));
  return value === part;
}
