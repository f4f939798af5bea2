import type { Document, RawDocument } from '../documents/document';
import { decodePlain, decodeTyped, encode, isDocument } from '../documents/document';
import { toPlain } from '../documents/plain-value';
import { CommandError } from '../errors/command-error';
import type { Evaluate } from './expressions';
import { parseFilter } from './filter-tree';
import { elementTestOf } from './leaf-tests';
import { matchPosition } from './match-position';
import { compile } from './matcher';
import { applyProjection, parseProjection, place } from './projection-tree';
import type { ProjectionTree } from './projection-tree';
import { rawProjection } from './raw-projection';
import type { FieldTree } from './raw-projection';

export type Project = (document: RawDocument) => RawDocument;

/** A function that applies the projection of a `find`. Plain inclusion and exclusion work on the bytes. */
export function createProjection(projection: Document | undefined, filter: Document, variables?: Document): Project {
  const entries = Object.entries(projection ?? {});
  if (entries.length === 0) return (document) => document;
  const special = entries.filter(([path, value]) => path.endsWith('.$') || isFindOperator(value));
  const plain = entries.filter((entry) => !special.includes(entry));
  if (special.length === 0 && plain.every(([, value]) => typeof value === 'number' || typeof value === 'boolean')) {
    const tree = parseProjection(plain);
    return rawProjection(bytesOf(tree), tree.inclusive);
  }
  return computedProjection(plain, special, filter, variables);
}

const isFindOperator = (value: unknown): value is Document =>
  isDocument(value) && ('$elemMatch' in value || ('$slice' in value && isFindSlice(value['$slice'])));

/** With other operands `$slice` is an expression. */
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

type Change = (document: Document, original: Document) => Document;

function computedProjection(
  plain: readonly (readonly [string, unknown])[],
  special: readonly (readonly [string, unknown])[],
  filter: Document,
  variables: Document | undefined,
): Project {
  const chosen = special.map(([path, value]) => readSpecial(path, value, filter));
  if (chosen.filter(({ position }) => position).length > 1)
    throw new CommandError('Location31276', 'Cannot specify more than one positional projection per query.');
  const includes = chosen.some(({ position, elements }) => position || elements !== undefined);
  const tree = parseProjection(plain, variables, includes);
  for (const { path, elements, position } of chosen) {
    if (elements) place(tree.fields, path, elements);
    else if (tree.inclusive) place(tree.fields, path, 'keep');
    if (position && !tree.inclusive)
      throw new CommandError('Location31395', 'positional projection cannot be used with exclusion');
  }
  const changes = chosen.flatMap(({ change }) => (change ? [change] : []));
  return (raw) => {
    const original = decodePlain(raw);
    const typed = decodeTyped(raw);
    const projected = applyProjection(tree, typed, { plain: original, typed });
    return encode(changes.reduce((document, change) => change(document, original), projected));
  };
}

interface Special {
  readonly path: string;
  readonly position: boolean;
  /** Gives the elements that `$elemMatch` chooses. */
  readonly elements?: Evaluate;
  readonly change?: Change;
}

function readSpecial(path: string, value: unknown, filter: Document): Special {
  if (path.endsWith('.$')) return positional(path.slice(0, -2), filter);
  const [name] = Object.keys(value as Document);
  return name === '$slice' ? slicing(path, (value as Document)['$slice']) : elemMatch(path, value as Document);
}

function positional(path: string, filter: Document): Special {
  const tree = parseFilter(filter);
  const change: Change = (document, original) => {
    const position = matchPosition(tree, original);
    if (position === undefined)
      throw new CommandError('Location51246', "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array");
    return changedAt(document, path.split('.'), (array) => {
      if (position >= array.length)
        throw new CommandError('Location51247', "Executor error during find command :: caused by :: positional operator '.$' element mismatch");
      return [array[position]];
    });
  };
  return { path, position: true, change };
}

function elemMatch(path: string, value: Document): Special {
  if (path.includes('.')) throw new CommandError('Location31275', 'Cannot use $elemMatch projection on a nested field');
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
  return { path, position: false, elements };
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
  return { path, position: false, change };
}

/** The document with the arrays at the path changed. */
function changedAt(document: Document, [part = '', ...rest]: string[], change: (array: unknown[]) => unknown[]): Document {
  const value = document[part];
  if (value === undefined) return document;
  return { ...document, [part]: changedValue(value, rest, change) };
}

function changedValue(value: unknown, rest: string[], change: (array: unknown[]) => unknown[]): unknown {
  if (rest.length === 0) return Array.isArray(value) ? change(value as unknown[]) : value;
  if (isDocument(value)) return changedAt(value, rest, change);
  return Array.isArray(value) ? value.map((item) => changedValue(item, rest, change)) : value;
}
