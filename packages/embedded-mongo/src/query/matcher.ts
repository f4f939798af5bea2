import { decodePlain, decodeTyped } from '../documents/document';
import type { Document, RawDocument } from '../documents/document';
import { someAt, topField } from '../documents/paths';
import { decodeFields, fieldSet } from '../documents/raw-elements';
import type { FieldSet } from '../documents/raw-elements';
import { numericTypes } from './bson-types';
import { evaluatorOf, isTruthy } from './expressions';
import { parseFilter } from './filter-tree';
import type { FilterTree } from './filter-tree';
import { testOf } from './leaf-tests';

export interface Matcher {
  readonly tree: FilterTree;
  /** The top-level fields that the filter reads; undefined if it may read any field. */
  readonly reads: ReadonlySet<string> | undefined;
  matches(document: Document): boolean;
  /** Decodes only the fields in `reads`, unless the filter needs typed values. */
  matchesRaw(document: RawDocument): boolean;
}

type Test = (document: unknown) => boolean;

/** Compiles a filter. Throws BadValue with the name of an unknown operator. */
export function createMatcher(filter: Document, variables?: Document): Matcher {
  const tree = parseFilter(filter);
  const test = compile(tree, variables ?? {});
  const reads = new Set<string>();
  const known = collectReads(tree, reads);
  const fields = fieldSet(reads);
  const decode = decoder(known ? fields : undefined, distinguishesNumbers(tree));
  const all = tree.kind === 'and' && tree.branches.length === 0;
  return {
    tree,
    reads: known ? reads : undefined,
    matches: test,
    matchesRaw: all ? () => true : (document) => test(decode(document)),
  };
}

function decoder(fields: FieldSet | undefined, typed: boolean): (document: RawDocument) => Document {
  if (typed) return decodeTyped;
  return fields ? (document) => decodeFields(document, fields) : decodePlain;
}

export function compile(tree: FilterTree, variables: Document): Test {
  switch (tree.kind) {
    case 'and': {
      const tests = tree.branches.map((branch) => compile(branch, variables));
      if (tests.length === 1) return tests[0] as Test;
      return (document) => tests.every((test) => test(document));
    }
    case 'or': {
      const tests = tree.branches.map((branch) => compile(branch, variables));
      return (document) => tests.some((test) => test(document));
    }
    case 'nor': {
      const tests = tree.branches.map((branch) => compile(branch, variables));
      return (document) => !tests.some((test) => test(document));
    }
    case 'not': {
      const test = compile(tree.branch, variables);
      return (document) => !test(document);
    }
    case 'never':
      return () => false;
    case 'expression': {
      const evaluate = evaluatorOf(tree.expression, variables);
      return (document) => isTruthy(evaluate(document as Document));
    }
    default: {
      const path = tree.path.split('.');
      const wholeOnly = tree.kind === 'size' || tree.kind === 'elementDocument' || tree.kind === 'elementValue';
      const test = testOf(tree, (inner) => compile(inner, variables));
      return (document) => someAt(document, path, wholeOnly, test);
    }
  }
}

const branchesOf = (tree: FilterTree): readonly FilterTree[] => {
  if ('branches' in tree) return tree.branches;
  return 'branch' in tree ? [tree.branch] : [];
};

/** Collects the top-level fields that the filter reads. Returns false if it may read any field. */
function collectReads(tree: FilterTree, reads: Set<string>): boolean {
  if (tree.kind === 'expression') return false;
  if ('path' in tree) reads.add(topField(tree.path));
  return branchesOf(tree).every((branch) => collectReads(branch, reads));
}

/** True if the filter tests for a numeric type, which plain values do not have. */
function distinguishesNumbers(tree: FilterTree): boolean {
  if (tree.kind === 'type') return tree.types.some(({ name }) => numericTypes.has(name));
  if ('condition' in tree) return distinguishesNumbers(tree.condition);
  return branchesOf(tree).some(distinguishesNumbers);
}
