import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { arrayOperators } from './array-operators';
import { fieldOperators } from './field-operators';
import type { UpdateOperator } from './operator';
import { childOf } from '../documents/paths';
import { createPathContext } from './path-context';
import type { ArrayFilters } from './path-context';
import { parseFilter } from '../query/filter-tree';
import { concretePaths, slotsAt } from './slots';
import { toPlain } from '../documents/plain-value';
import type { PathContext } from './slots';
import type { Update } from './update';

const operators: Readonly<Record<string, UpdateOperator>> = { ...fieldOperators, ...arrayOperators };

interface Change {
  readonly name: string;
  readonly path: string;
  readonly operand: unknown;
}

interface Circumstances {
  readonly filter: Document;
  readonly arrayFilters: ArrayFilters;
  readonly now: Date;
}

/** Compiles `{ $set: …, $inc: … }`. */
export function parseOperatorUpdate(update: Document, { filter, arrayFilters, now }: Circumstances): Update {
  const changes = Object.entries(update)
    .flatMap(([name, fields]) => parseOperator(name, fields))
    .sort((a, b) => comparePaths(placeOf(a), placeOf(b)));
  checkConflicts(writtenPaths(changes));
  checkFiltersUsed(changes, arrayFilters);
  const usesPosition = changes.some(({ path }) => path.includes('$'));
  const tree = parseFilter(usesPosition ? filter : {});

  function apply(document: Document, inserting: boolean): Document {
    const before = usesPosition && !inserting ? (toPlain(document) as Document) : {};
    const context = createPathContext(before, tree, arrayFilters);
    if (usesPosition) checkConflicts(changes.flatMap(({ path }) => concretePaths(document, path, context)));
    for (const change of changes) {
      if (change.name === '$rename') rename(document, change, context);
      else if (change.name !== '$setOnInsert' || inserting) applyChange(document, change, context, now);
    }
    return document;
  }

  return { apply, replaces: false };
}

function parseOperator(name: string, fields: unknown): Change[] {
  if (!Object.hasOwn(operators, name) && name !== '$rename') {
    throw new CommandError(
      'FailedToParse',
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update`,
    );
  }
  if (!isDocument(fields)) {
    throw new CommandError(
      'FailedToParse',
      `Modifiers operate on fields but we found another type for modifier ${name}`,
    );
  }
  return Object.entries(fields).map(([path, operand]) => {
    checkPath(path);
    if (name === '$rename') checkRename(path, operand);
    operators[name]?.check?.(operand);
    return { name, path, operand };
  });
}

function checkRename(path: string, to: unknown): void {
  if (typeof to !== 'string')
    throw new CommandError('BadValue', `The 'to' field for $rename must be a string: ${path}`);
  checkPath(to);
  for (const end of [path, to])
    if (end.split('.').some((part) => part.startsWith('$')))
      throw new CommandError('BadValue', `The source and destination fields for $rename may not be dynamic: ${end}`);
  if (`${path}.`.startsWith(`${to}.`) || `${to}.`.startsWith(`${path}.`))
    throw new CommandError('BadValue', `The source and target field for $rename must not be on the same path: ${path}`);
}

function checkPath(path: string): void {
  for (const part of path.split('.')) {
    if (part === '') throw new CommandError('EmptyFieldName', `The update path '${path}' contains an empty field name`);
    if (part === '__proto__')
      throw new CommandError('BadValue', `The update path '${path}' contains a forbidden field name`);
    if (part.startsWith('$') && !/^\$(\[[a-z0-9]*\])?$/i.test(part)) {
      throw new CommandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${path}' is not valid for storage`,
      );
    }
  }
}

/** MongoDB creates new fields in the order of their names, not of the update. Array positions sort as numbers. */
function comparePaths(a: string, b: string): number {
  const [parts, others] = [a.split('.'), b.split('.')];
  const at = parts.findIndex((part, index) => part !== others[index]);
  const [part, other] = [parts[at] ?? '', others[at] ?? ''];
  if (/^\d+$/.test(part) && /^\d+$/.test(other)) return Number(part) - Number(other);
  return Number(part > other) - Number(part < other);
}

/** The path at which a change creates its field. */
const placeOf = ({ name, path, operand }: Change): string => (name === '$rename' ? String(operand) : path);

/** All paths that the changes write. `$rename` writes both its source and its destination. */
const writtenPaths = (changes: readonly Change[]): string[] =>
  changes.flatMap(({ name, path, operand }) => (name === '$rename' ? [path, String(operand)] : [path]));

function checkConflicts(paths: readonly string[]): void {
  const taken = new Set<string>();
  const kinds = new Map<string, boolean>();
  for (const path of [...paths].sort()) {
    const parts = path.split('.');
    const clash =
      parts.map((_, i) => parts.slice(0, i + 1).join('.')).find((prefix) => taken.has(prefix)) ??
      mixedParent(parts, kinds);
    if (clash !== undefined) {
      throw new CommandError(
        'ConflictingUpdateOperators',
        `Updating the path '${path}' would create a conflict at '${clash}'`,
      );
    }
    taken.add(path);
  }
}

/** The prefix under which one path selects elements by `$[…]` and another names fields. Records the kind in `kinds`. */
function mixedParent(parts: readonly string[], kinds: Map<string, boolean>): string | undefined {
  return parts
    .map((_, i) => parts.slice(0, i).join('.'))
    .find((prefix, i) => {
      const chooses = parts[i]?.startsWith('$[') === true;
      const before = kinds.get(prefix) ?? chooses;
      kinds.set(prefix, chooses);
      return before !== chooses;
    });
}

function checkFiltersUsed(changes: readonly Change[], arrayFilters: ArrayFilters): void {
  for (const identifier of arrayFilters.keys()) {
    if (changes.some(({ path }) => path.includes(`$[${identifier}]`))) continue;
    throw new CommandError(
      'FailedToParse',
      `The array filter for identifier '${identifier}' was not used in the update`,
    );
  }
}

function applyChange(document: Document, { name, path, operand }: Change, context: PathContext, now: Date): void {
  const operator = operators[name] as UpdateOperator;
  for (const slot of slotsAt(document, path, operator.reach, context)) operator.apply(slot, operand, { path, now });
}

function rename(document: Document, { path, operand }: Change, context: PathContext): void {
  const to = String(operand);
  const value = fieldToRename(document, path, 'source');
  if (value === undefined) return;
  fieldToRename(document, to, 'destination');
  for (const slot of slotsAt(document, path, 'find', context)) slot.remove();
  for (const slot of slotsAt(document, to, 'create', context)) slot.set(value);
}

/**
 * The value at the path. Throws when the path cannot be followed. A destination may not go through an array. A source
 * may, but only if there is no value.
 */
function fieldToRename(document: Document, path: string, end: 'source' | 'destination'): unknown {
  const inArray = (): CommandError =>
    new CommandError('BadValue', `The ${end} field cannot be an array element, '${path}' has an array field`);
  let value: unknown = document;
  let throughArray = false;
  for (const part of path.split('.')) {
    if (value === undefined) return undefined;
    if (Array.isArray(value) && end === 'destination') throw inArray();
    const numbered = Array.isArray(value) && /^\d+$/.test(part);
    if (!numbered && !isDocument(value))
      throw new CommandError(
        'PathNotViable',
        `cannot use the part (${part}) of '${path}' to traverse a value that is no document`,
      );
    throughArray ||= numbered;
    value = childOf(value, part);
  }
  if (throughArray && value !== undefined) throw inArray();
  return value;
}
