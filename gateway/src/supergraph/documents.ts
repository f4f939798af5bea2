import { createHash } from 'node:crypto';
import { Kind, visit } from 'graphql';
import type { ASTNode, DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import { problemOf } from '@itsm/shared/base/texts/check-texts';
import { checkDocument } from '@itsm/shared/pricing/check-document';
import type { PreparedOperation, RefusedDocument } from '../execution/executor';
import { formatError } from './graphql-errors';

/**
 * Parses and validates documents against one schema and selects the operation of that name, or the only one. Caches
 * (LRU) all refusals, and operations from their second call on.
 */
export interface Documents {
  /** `found` are the errors of a check that was made elsewhere. Without them the document is validated here. */
  (query: string, operationName: string | undefined, found?: DocumentErrors): PreparedOperation | RefusedDocument;
  /** The cached operation or refusal; preparing a new one takes a millisecond or more. */
  cached(query: string, operationName: string | undefined): PreparedOperation | RefusedDocument | undefined;
}

/** The errors of a document that no variables could avoid; empty for a valid one. */
export type DocumentErrors = RefusedDocument['errors'];

/**
 * What the serving thread may check and plan itself. Measured in a warm process: a text of this length takes a
 * millisecond at most, and a field takes the planner a seventh of one.
 */
const small = { characters: 500, fields: 20 } as const;

/** Whether a document is cheap to check. */
export const isShort = (query: string): boolean => query.length <= small.characters;

/** In bytes of the heap, by the sizes that the test measures. */
const mostBytes = 24 * 1024 * 1024;
const mostBytesOfOne = 3 * 1024 * 1024;
/** A separate cache for refusals, so that a flood of invalid documents does not evict valid ones. */
const mostBytesRefused = 4 * 1024 * 1024;
const mostSeen = 4_000;

export function createDocuments(schema: GraphQLSchema): Documents {
  const accepted = new LRUCache<string, PreparedOperation>({ maxSize: mostBytes, maxEntrySize: mostBytesOfOne });
  const refused = new LRUCache<string, RefusedDocument>({ maxSize: mostBytesRefused });
  // Documents that come once are not cached.
  const seen = new LRUCache<string, true>({ max: mostSeen });

  const cachedAs = (key: string, hash: () => string) => accepted.get(key) ?? refused.get(hash());

  const prepare: Documents = Object.assign(
    (query: string, operationName: string | undefined, found?: DocumentErrors) => {
      const key = keyOf(query, operationName);
      const hash = digestOf(key);
      const known = cachedAs(key, () => hash);
      if (known) return known;
      const { prepared, bytes } = prepareOperation(schema, { query, operationName, hash, found });
      if (prepared.kind === 'refused') refused.set(hash, prepared, { size: bytes });
      else if (seen.has(hash)) accepted.set(key, prepared, { size: bytes + key.length * 2 });
      else seen.set(hash, true);
      return prepared;
    },
    {
      cached(query: string, operationName: string | undefined) {
        const key = keyOf(query, operationName);
        return cachedAs(key, () => digestOf(key));
      },
    },
  );
  return prepare;
}

/** The length prefix keeps name and text from running together. */
const keyOf = (query: string, operationName: string | undefined): string =>
  operationName === undefined ? `:${query}` : `${operationName.length}:${operationName}${query}`;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A document as received, and the name of the operation to run. */
interface GivenDocument {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly hash: string;
  readonly found: DocumentErrors | undefined;
}

/** The prepared operation or its refusal, and an upper estimate of its heap. */
interface Prepared {
  readonly prepared: PreparedOperation | RefusedDocument;
  readonly bytes: number;
}

/** In bytes. Measured: 55 to 150 for a node without its tokens, 400 to 900 for a field of a formula. */
const bytesOf = { node: 160, field: 1_000, entry: 1_000 } as const;

/** Parses, validates and compiles one operation; an error that no variables could avoid is a refusal. */
function prepareOperation(schema: GraphQLSchema, { query, operationName, hash, found }: GivenDocument): Prepared {
  if (found && found.length > 0) return refusal(found);
  const checked = checkDocument(schema, query, operationName, found !== undefined);
  if (checked.kind === 'refused') return refusal(checked.errors.map((error) => formatError(error)));
  const { operation, fields } = checked;
  checkLiterals(operation.document);
  const { nodes, isOwn, hasSecret } = releaseLocations(operation.document);
  const bytes = bytesOf.entry + query.length * 2 + nodes * bytesOf.node + fields * bytesOf.field;
  const isSmall = isShort(query) && fields <= small.fields;
  return { prepared: { kind: 'valid', hash, isOwn, hasSecret, isSmall, ...operation }, bytes };
}

const refusal = (errors: DocumentErrors): Prepared => ({
  prepared: { kind: 'refused', errors },
  bytes: bytesOf.entry + JSON.stringify(errors).length * 3,
});

/** Literals hold to the rule of all texts (`checkTexts`), which is checked in variables when the body is read. */
function checkLiterals(document: DocumentNode): void {
  visit(document, {
    StringValue({ value, loc }) {
      const problem = problemOf(value);
      if (problem === undefined) return;
      const { line, column } = loc?.startToken ?? {};
      throw badRequest(`The text at line ${line}, column ${column} ${problem}`);
    },
  });
}

const ownFields: ReadonlySet<string> = new Set(['rateLimit', '__schema', '__type']);
/**
 * The address of a webhook may have a secret in its query, and so may a change of it. Of other types, fields with these
 * names count too.
 */
export const secretFields: ReadonlySet<string> = new Set(['uri', 'changes']);
const reported: ReadonlySet<string> = new Set([Kind.FIELD, Kind.VARIABLE_DEFINITION]);

/**
 * Drops the locations of nodes, except of those that later errors point at: they retain every token of the text, four
 * fifths of a parsed document's heap. Returns the number of nodes, and which of the fields need special care.
 */
function releaseLocations(document: DocumentNode): Pick<PreparedOperation, 'isOwn' | 'hasSecret'> & { nodes: number } {
  let nodes = 0;
  let [isOwn, hasSecret] = [false, false];
  visit(document, {
    enter(node) {
      nodes += 1;
      if (node.kind === Kind.FIELD) {
        isOwn ||= ownFields.has(node.name.value);
        hasSecret ||= secretFields.has(node.name.value);
      }
      Object.assign(node, { loc: positionOf(node) });
    },
  });
  return { nodes, isOwn, hasSecret };
}

/** The part of a location that an error needs. */
function positionOf({ kind, loc }: ASTNode): object | undefined {
  return loc && reported.has(kind) ? { start: loc.start, end: loc.end, source: loc.source } : undefined;
}
