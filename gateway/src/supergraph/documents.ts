import { createHash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { prepareOperation } from './prepare-operation';
import type { PreparedOperation, RefusedDocument } from '../execution/executor';

/**
 * Parses and validates documents against one schema and chooses the operation of that name, or the only one. Operations
 * that came twice and all refusals are kept, the most recent ones.
 */
export interface Documents {
  (query: string, operationName: string | undefined): PreparedOperation | RefusedDocument;
  /** Whether an operation is kept; to prepare another one takes a millisecond and more. */
  has(query: string, operationName: string | undefined): boolean;
}

/** Of the heap, by the sizes that are measured in the test. */
const mostBytes = 24 * 1024 * 1024;
const mostBytesOfOne = 3 * 1024 * 1024;
/** Apart from what is accepted, so that no flood of nonsense pushes that out. */
const mostBytesRefused = 4 * 1024 * 1024;
const mostSeen = 4_000;

export function createDocuments(schema: GraphQLSchema): Documents {
  const accepted = new LRUCache<string, PreparedOperation>({ maxSize: mostBytes, maxEntrySize: mostBytesOfOne });
  const refused = new LRUCache<string, RefusedDocument>({ maxSize: mostBytesRefused });
  // Documents that are asked once do not fill the cache.
  const seen = new LRUCache<string, true>({ max: mostSeen });

  const prepare = (query: string, operationName: string | undefined): PreparedOperation | RefusedDocument => {
    const key = keyOf(query, operationName);
    const known = accepted.get(key);
    if (known) return known;
    const hash = digestOf(key);
    const refusal = refused.get(hash);
    if (refusal) return refusal;
    const { prepared, bytes } = prepareOperation(schema, { query, operationName, hash });
    if (prepared.kind === 'refused') refused.set(hash, prepared, { size: bytes });
    else if (seen.has(hash)) accepted.set(key, prepared, { size: bytes + key.length * 2 });
    else seen.set(hash, true);
    return prepared;
  };
  return Object.assign(prepare, {
    has: (query: string, operationName: string | undefined) => accepted.has(keyOf(query, operationName)),
  });
}

/** The length keeps a name and a text apart. */
const keyOf = (query: string, operationName: string | undefined): string =>
  operationName === undefined ? `:${query}` : `${operationName.length}:${operationName}${query}`;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
