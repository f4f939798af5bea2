import { Query } from 'mingo/query';
import { decodePlain, isDocument } from '../documents/document';
import type { Document, RawDocument } from '../documents/document';
import { topField } from '../documents/paths';
import { decodeFields, fieldSet } from '../documents/raw-elements';
import { CommandError } from '../errors/command-error';
import { filterOptions, mingoOptions } from './mingo-context';

export interface Matcher {
  /** The top-level fields the filter looks at; absent when it may look at any. */
  readonly reads: ReadonlySet<string> | undefined;
  matches(document: Document): boolean;
  /** Decodes no more of the document than the filter looks at. */
  matchesRaw(document: RawDocument): boolean;
}

const matchesAll: Matcher = { reads: new Set(), matches: () => true, matchesRaw: () => true };

/** Compiles a filter. Throws BadValue naming an operator that does not exist. */
export function createMatcher(filter: Document, variables?: Document): Matcher {
  const conditions = withoutComment(filter);
  if (Object.keys(conditions).length === 0) return matchesAll;
  const reads = new Set<string>();
  const known = collectReads(conditions, reads);
  const query = compile(conditions, known ? filterOptions : mingoOptions(variables ? { variables } : {}));
  const fields = fieldSet(reads);
  return {
    reads: known ? reads : undefined,
    matches: (document) => query.test(document),
    matchesRaw: (document) => query.test(known ? decodeFields(document, fields) : decodePlain(document)),
  };
}

/** A comment is no condition. */
export function withoutComment(filter: Document): Document {
  const conditions = { ...filter };
  delete conditions['$comment'];
  return conditions;
}

function compile(conditions: Document, options: ReturnType<typeof mingoOptions>): Query {
  try {
    return new Query(conditions, options);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      'BadValue',
      message.replace(/^unknown (query|top level) operator:? /, 'unknown $1 operator: '),
    );
  }
}

/** False when the filter may look at any field. */
function collectReads(conditions: Document, reads: Set<string>): boolean {
  for (const [name, condition] of Object.entries(conditions)) {
    if (!name.startsWith('$')) reads.add(topField(name));
    else if (name !== '$and' && name !== '$or' && name !== '$nor') return false;
    else if (!(condition as unknown[]).every((branch) => isDocument(branch) && collectReads(branch, reads)))
      return false;
  }
  return true;
}
