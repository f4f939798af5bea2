import type { GraphQLFormattedError } from 'graphql';
import type { ExecutionContext } from './executor';
import type { ServicePart } from './service-client';
import { aliasOf, variableOf } from './merged-operation';
import { unavailable } from './subgraph';
import type { FetchOperation, Subgraph } from './subgraph';

/** Entities of one service, each named once. */
export interface EntityRequest {
  readonly operation: FetchOperation;
  /** JSON texts. */
  readonly representations: readonly string[];
  /** The JSON text of the other variables; without braces. */
  readonly otherVariables: string;
}

export interface EntityAnswer {
  /** As many as were asked for; null where there is none. */
  readonly entities: readonly unknown[];
  readonly errors: readonly EntityError[];
}

export interface EntityError {
  readonly error: GraphQLFormattedError;
  /** Which of the entities. */
  readonly position: number;
  /** From the entity on. */
  readonly path: readonly (string | number)[];
  /** Whether it is about the request, of which `position` is the first entity. */
  readonly isOfAll: boolean;
}

/** A service reads bodies of 1 MB. */
const mostRepresentations = 5_000;

/** Asks for entities (Apollo Federation, "Entities"), in several requests when they are many. */
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

/** Entities of one service for several fetches that are due at the same time. */
export interface MergedRequest {
  readonly operation: FetchOperation;
  /** JSON texts by fetch; an empty list where a fetch has nothing to ask for. */
  readonly representations: readonly (readonly string[])[];
  /** The JSON text of the other variables; without braces. */
  readonly otherVariables: string;
}

/** Asks for the entities of several fetches in one request; returns the result of each. */
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

/** The part of an answer for one of the fetches, as if it had been sent alone; errors of the whole request belong to each. */
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

/** An answer about other entities than were asked for is none. */
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
