import type { GraphQLFormattedError } from 'graphql';
import type { ExecutionContext } from './executor';
import type { ServicePart } from './service-client';
import { aliasOf, variableOf } from './merged-operation';
import { unavailable } from './subgraph';
import type { FetchOperation, Subgraph } from './subgraph';

/** The entities that are requested of one service, without duplicates. */
export interface EntityRequest {
  readonly operation: FetchOperation;
  /** JSON texts. */
  readonly representations: readonly string[];
  /** The other variables as the JSON text of their members, without braces. */
  readonly otherVariables: string;
}

export interface EntityAnswer {
  /** As many as were requested, in the same order; null for an entity that was not found. */
  readonly entities: readonly unknown[];
  readonly errors: readonly EntityError[];
}

export interface EntityError {
  readonly error: GraphQLFormattedError;
  /** The index of the entity. */
  readonly position: number;
  /** Relative to the entity. */
  readonly path: readonly (string | number)[];
  /** Whether the error concerns the whole request; `position` is then its first entity. */
  readonly isOfAll: boolean;
}

/** Bounded, since a service reads request bodies of 1 MB. */
const mostRepresentations = 5_000;

/** Requests entities (Apollo Federation, "Entities"), split into several requests when there are many. */
export async function askEntities(
  subgraph: Subgraph,
  { operation, representations, otherVariables }: EntityRequest,
  context: ExecutionContext,
): Promise<EntityAnswer> {
  const start = otherVariables === '' ? '{"representations":[' : `{${otherVariables},"representations":[`;
  const chunks = chunksOf(representations);
  const parts = await Promise.all(
    chunks.map(async (chunk) =>
      checked(await subgraph(operation, `${start}${chunk.join(',')}]}`, context), chunk.length),
    ),
  );
  return {
    entities: parts.flatMap((part, index) => entitiesIn(part, chunks[index]?.length ?? 0)),
    errors: parts.flatMap((part, index) => errorsIn(part, index * mostRepresentations)),
  };
}

/** The entities of one service for several fetches that are due in the same turn. */
export interface MergedRequest {
  readonly operation: FetchOperation;
  /** JSON texts, per fetch; empty for a fetch without entities. */
  readonly representations: readonly (readonly string[])[];
  /** The other variables as the JSON text of their members, without braces. */
  readonly otherVariables: string;
}

/** Requests the entities of several fetches in one request; returns one answer per fetch. */
export async function askMergedEntities(
  subgraph: Subgraph,
  { operation, representations, otherVariables }: MergedRequest,
  context: ExecutionContext,
): Promise<EntityAnswer[]> {
  const lists = representations.map((texts, fetch) => `"${variableOf(fetch)}":[${texts.join(',')}]`);
  const members = otherVariables === '' ? lists : [otherVariables, ...lists];
  const part = await subgraph(operation, `{${members.join(',')}}`, context);
  return representations.map((texts, fetch) => {
    const own = part && checked(partOf(part, fetch), texts.length);
    return { entities: entitiesIn(own, texts.length), errors: errorsIn(own, 0) };
  });
}

/**
 * The share of one fetch in the answer, as if it had been sent alone; an error of the whole request belongs to every
 * fetch.
 */
function partOf({ data, errors }: ServicePart, fetch: number): ServicePart {
  const alias = aliasOf(fetch);
  const own = errors?.filter(({ path }) => path === undefined || path[0] === alias || !isAlias(path[0]));
  return {
    ...(data !== undefined && { data: data && { _entities: data[alias] } }),
    ...(own && {
      errors: own.map((error) =>
        error.path?.[0] === alias ? { ...error, path: ['_entities', ...error.path.slice(1)] } : error,
      ),
    }),
  };
}

const isAlias = (root: string | number | undefined): boolean => typeof root === 'string' && /^_entities\d+$/.test(root);

function chunksOf(representations: readonly string[]): (readonly string[])[] {
  if (representations.length <= mostRepresentations) return [representations];
  const count = Math.ceil(representations.length / mostRepresentations);
  return Array.from({ length: count }, (_, index) =>
    representations.slice(index * mostRepresentations, (index + 1) * mostRepresentations),
  );
}

/** Undefined when the number of entities is not the number requested: such an answer cannot be mapped. */
function checked(part: ServicePart | undefined, count: number): ServicePart | undefined {
  if (!part?.data) return part;
  const { _entities: entities } = part.data;
  return Array.isArray(entities) && entities.length === count ? part : undefined;
}

const entitiesIn = (part: ServicePart | undefined, count: number): readonly unknown[] =>
  part?.data ? (part.data['_entities'] as readonly unknown[]) : new Array<unknown>(count).fill(null);

const errorsIn = (part: ServicePart | undefined, firstPosition: number): EntityError[] =>
  (part ? (part.errors ?? []) : [unavailable()]).map((error) => {
    const [root, position, ...path] = error.path ?? [];
    return root === '_entities' && typeof position === 'number'
      ? { error, position: firstPosition + position, path, isOfAll: false }
      : { error, position: firstPosition, path: [], isOfAll: true };
  });
