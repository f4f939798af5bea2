import type { Document, RawDocument } from '../documents/document';
import { decodePlain, decodeTyped, encode, isDocument } from '../documents/document';
import { toPlain } from '../documents/plain-value';
import { CommandError } from '../errors/command-error';
import type { Evaluate } from './expressions';
import { parseFilter, usesExpression } from './filter-tree';
import { elementTestOf } from './leaf-tests';
import { matchPosition } from './match-position';
import { compile } from './matcher';
import { applyProjection, parseProjection } from './projection-tree';
import type { ProjectionTree, SpecialField } from './projection-tree';
import { rawProjection } from './raw-projection';
import type { FieldTree } from './raw-projection';

export type Project = (document: RawDocument) => RawDocument;

/** Compiles the projection of a `find`. Plain inclusion and exclusion work on the bytes, without decoding. */
export function createProjection(projection: Document | undefined, filter: Document, variables?: Document): Project {
  const entries = Object.entries(projection ?? {});
  if (entries.length === 0) return (document) => document;
  const special = entries.filter(([path, value]) => path.endsWith('.$') || isFindOperator(value));
  const plain = entries.filter((entry) => !special.includes(entry));
  if (special.length === 0 && plain.every(([, value]) => typeof value === 'number' || typeof value === 'boolean')) {
    const tree = parseProjection(plain);
    return rawProjection(bytesOf(tree), tree.inclusive);
  }
  return computedProjection(entries, special, filter, variables);
}

const isFindOperator = (value: unknown): value is Document =>
  isDocument(value) && ('$elemMatch' in value || ('$slice' in value && isFindSlice(value['$slice'])));

/** With any other operand, `$slice` is an aggregation expression. */
const isFindSlice = (operand: unknown): boolean =>
  !Array.isArray(operand) || operand.every((one) => typeof one === 'number');

function bytesOf({ fields, inclusive }: ProjectionTree): FieldTree {
  const tree: FieldTree = new Map();
  for (const [name, field] of fields) {
    const bytes = Buffer.from(name, 'utf8').toString('latin1');
    if (field instanceof Map) tree.set(bytes, bytesOf({ fields: field, inclusive }));
    else if ((field === 'keep') === inclusive) tree.set(bytes, 'whole');
  }
  return tree;
}

/** MongoDB refuses the positional operator `$` together with `$elemMatch`. */
function checkCombination(special: readonly (readonly [string, unknown])[]): void {
  const kinds = special.map(([path, value]) => (path.endsWith('.$') ? '$' : Object.keys(value as Document)[0]));
  const [position, elemMatch] = [kinds.indexOf('$'), kinds.indexOf('$elemMatch')];
  if (position >= 0 && elemMatch >= 0)
    throw new CommandError(
      position < elemMatch ? 'Location31255' : 'Location31256',
      'Cannot specify positional operator and $elemMatch.',
    );
}

type Change = (document: Document, original: Document) => Document;

function computedProjection(
  entries: readonly (readonly [string, unknown])[],
  special: readonly (readonly [string, unknown])[],
  filter: Document,
  variables: Document | undefined,
): Project {
  const positional = special.some(([path]) => path.endsWith('.$'));
  if (positional && usesExpression(parseFilter(filter)))
    throw new CommandError('QueryFeatureNotAllowed', '$expr is not allowed in this context');
  checkCombination(special);
  const chosen = new Map(special.map(([path, value]) => [path, readSpecial(path, value, filter)]));
  const positions = [...chosen.values()].filter(({ kind }) => kind === 'positional');
  if (positions.length > 1)
    throw new CommandError('Location31276', 'Cannot specify more than one positional projection per query.');
  const tree = parseProjection(entries, variables, (path) => chosen.get(path));
  const changes = [...chosen.values()].flatMap(({ change }) => (change ? [change] : []));
  return (raw) => {
    const original = decodePlain(raw);
    const typed = decodeTyped(raw);
    const projected = applyProjection(tree, typed, { plain: original, typed });
    return encode(changes.reduce((document, change) => change(document, original), projected));
  };
}

interface Special extends SpecialField {
  readonly change?: Change;
}

function readSpecial(path: string, value: unknown, filter: Document): Special {
  if (path.endsWith('.$')) return positionalField(path.slice(0, -2), filter);
  const [name] = Object.keys(value as Document);
  return name === '$slice' ? slicing(path, (value as Document)['$slice']) : elemMatch(path, value as Document);
}

function positionalField(path: string, filter: Document): Special {
  const tree = parseFilter(filter);
  const change: Change = (document, original) =>
    changedAt(document, path.split('.'), (array) => {
      const position = matchPosition(tree, original);
      if (position === undefined)
        throw new CommandError(
          'Location51246',
          "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
        );
      if (position >= array.length)
        throw new CommandError(
          'Location51247',
          "Executor error during find command :: caused by :: positional operator '.$' element mismatch",
        );
      return [array[position]];
    });
  return { kind: 'positional', path, what: 'keep', change };
}

function elemMatch(path: string, value: Document): Special {
  if (path.includes('.')) throw new CommandError('Location31275', 'Cannot use $elemMatch projection on a nested field');
  if (!isDocument(value['$elemMatch']))
    throw new CommandError('Location31274', 'elemMatch: Invalid argument, object required');
  const leaf = parseFilter({ value });
  if (leaf.kind !== 'elementDocument' && leaf.kind !== 'elementValue')
    throw new CommandError('Location31274', 'elemMatch: Invalid argument, object required');
  const test = elementTestOf(leaf, (tree) => compile(tree, {}));
  const elements: Evaluate = (_plain, typed) => {
    const array = typed?.[path];
    if (!Array.isArray(array)) return undefined;
    const found = array.findIndex((item) => test(toPlain(item)));
    return found < 0 ? undefined : [array[found]];
  };
  return { kind: 'elemMatch', path, what: elements };
}

function slicing(path: string, operand: unknown): Special {
  const [first, count] = Array.isArray(operand) ? (operand as number[]) : [operand as number];
  if (typeof first !== 'number' || (Array.isArray(operand) && (operand.length !== 2 || (count as number) <= 0)))
    throw new CommandError('Location28724', 'First argument to $slice must be an array, or a count');
  const [skip, limit] = count === undefined ? (first < 0 ? [first, -first] : [0, first]) : [first, count];
  const change: Change = (document) =>
    changedAt(document, path.split('.'), (array) => {
      const start = skip < 0 ? Math.max(0, array.length + skip) : skip;
      return array.slice(start, start + limit);
    });
  return { kind: 'slice', path, what: 'keep', change };
}

/** Changes the arrays at the path. */
function changedAt(
  document: Document,
  [part = '', ...rest]: string[],
  change: (array: unknown[]) => unknown[],
): Document {
  const value = document[part];
  if (value === undefined) return document;
  return { ...document, [part]: changedValue(value, rest, change) };
}

function changedValue(value: unknown, rest: string[], change: (array: unknown[]) => unknown[]): unknown {
  if (rest.length === 0) return Array.isArray(value) ? change(value as unknown[]) : value;
  if (isDocument(value)) return changedAt(value, rest, change);
  return Array.isArray(value) ? value.map((item) => changedValue(item, rest, change)) : value;
}
