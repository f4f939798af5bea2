import { isDocument } from '../documents/document';
import type { Document } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { evaluatorOf } from './expressions';
import type { Evaluate } from './expressions';

/** The projection of each field: kept, dropped, computed, or an embedded document with its own fields. */
export type Fields = Map<string, 'keep' | 'drop' | Evaluate | Fields>;

export interface ProjectionTree {
  readonly fields: Fields;
  /** True if only named fields are kept. */
  readonly inclusive: boolean;
}

const isFlag = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';
const isOn = (value: unknown): boolean => value !== 0 && value !== false;

/** A field with an operator that only the projection of a `find` has. */
export interface SpecialField {
  readonly kind: 'positional' | 'elemMatch' | 'slice';
  readonly path: string;
  readonly what: 'keep' | Evaluate;
}

/** Parses a projection. `special` reads the fields with operators that only a `find` has. */
export function parseProjection(
  entries: readonly (readonly [string, unknown])[],
  variables: Document = {},
  special: (path: string, value: unknown) => SpecialField | undefined = () => undefined,
): ProjectionTree {
  const fields: Fields = new Map();
  let inclusive: boolean | undefined;
  let id: boolean | undefined;
  let leansTo: boolean | undefined;

  function decide(wanted: boolean, path: string): void {
    if (inclusive !== undefined && inclusive !== wanted) {
      throw wanted
        ? new CommandError('Location31253', `Cannot do inclusion on field ${path} in exclusion projection`)
        : new CommandError('Location31254', `Cannot do exclusion on field ${path} in inclusion projection`);
    }
    inclusive = wanted;
  }

  function read(path: string, value: unknown): void {
    if (isFlag(value)) {
      place(fields, path, isOn(value) ? 'keep' : 'drop');
      if (path === '_id') id = isOn(value);
      else decide(isOn(value), path);
    } else if (isDocument(value) && !Object.keys(value)[0]?.startsWith('$')) {
      const inner = Object.entries(value);
      if (inner.length === 0) throw new CommandError('Location51270', 'An empty sub-projection is not a valid value.');
      for (const [name, one] of inner) read(`${path}.${name}`, one);
    } else {
      const excluding = `Cannot use an expression ${path} in an exclusion projection`;
      if (inclusive === false && isDocument(value)) throw new CommandError('Location31252', excluding);
      place(fields, path, evaluatorOf(value, variables));
      if (inclusive === false) throw new CommandError('Location31310', excluding);
      inclusive = true;
    }
  }

  for (const [path, value] of entries) {
    const field = special(path, value);
    if (!field) {
      read(path, value);
      continue;
    }
    place(fields, field.path, field.what);
    if (field.kind === 'positional') decide(true, path);
    // Unless another field decides, `$elemMatch` alone makes the projection inclusive, and any `$slice` exclusive.
    else leansTo = field.kind === 'elemMatch' && leansTo !== false;
  }
  const result = inclusive ?? (leansTo === true || (id ?? false));
  if (result && id === undefined && !fields.has('_id')) fields.set('_id', 'keep');
  return { fields, inclusive: result };
}

/** Parses the fields of `$addFields`. */
export function parseAddedFields(added: Document, variables: Document): ProjectionTree {
  const fields: Fields = new Map();
  const read = (path: string, value: unknown): void => {
    if (isDocument(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith('$')) {
      for (const [name, one] of Object.entries(value)) read(`${path}.${name}`, one);
    } else place(fields, path, evaluatorOf(value, variables));
  };
  for (const [path, value] of Object.entries(added)) read(path, value);
  return { fields, inclusive: false };
}

export function place(fields: Fields, path: string, what: 'keep' | 'drop' | Evaluate): void {
  const parts = path.split('.');
  if (parts.includes(''))
    throw new CommandError('Location15998', `FieldPath field names may not be empty strings: '${path}'`);
  if (parts.some((part) => part.startsWith('$')))
    throw new CommandError(
      'Location16410',
      `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
    );
  const last = parts.pop() as string;
  let at = fields;
  for (const part of parts) {
    const next = at.get(part) ?? new Map<string, never>();
    if (!(next instanceof Map)) throw new CommandError('Location31249', `Path collision at ${path}`);
    at.set(part, next);
    at = next;
  }
  if (at.has(last)) throw new CommandError('Location31250', `Path collision at ${path}`);
  at.set(last, what);
}

/** The whole document for expressions: plain to compute with, typed to copy values from. */
interface Root {
  readonly plain: Document;
  readonly typed: Document;
}

/** Applies the projection. Computed fields come last, in its order; `$addFields` replaces existing fields in place. */
export function applyProjection(
  { fields, inclusive }: ProjectionTree,
  document: Document,
  root: Root = { plain: document, typed: document },
): Document {
  return computed(fields, inclusive ? kept(fields, document) : without(fields, document), root);
}

function kept(fields: Fields, document: Document): Document {
  return rebuilt(document, (name, value) => {
    const field = fields.get(name);
    if (field === 'keep') return value;
    if (!(field instanceof Map)) return undefined;
    // Null keeps the position of a scalar that a document with computed fields replaces.
    return within(value, (inner) => kept(field, inner), computes(field) ? 'become null' : 'go');
  });
}

function without(fields: Fields, document: Document): Document {
  return rebuilt(document, (name, value) => {
    const field = fields.get(name);
    if (field === 'drop') return undefined;
    return field instanceof Map ? within(value, (inner) => without(field, inner), 'stay') : value;
  });
}

function rebuilt(document: Document, change: (name: string, value: unknown) => unknown): Document {
  const result: Document = {};
  for (const [name, value] of Object.entries(document)) {
    const next = change(name, value);
    if (next !== undefined) result[name] = next;
  }
  return result;
}

/** Changes each document in a value, also within arrays. `scalars` decides what happens to all other values. */
function within(value: unknown, change: (inner: Document) => unknown, scalars: 'stay' | 'go' | 'become null'): unknown {
  if (isDocument(value)) return change(value);
  if (Array.isArray(value))
    return value.map((item) => within(item, change, scalars)).filter((item) => item !== undefined);
  if (scalars === 'stay') return value;
  return scalars === 'go' ? undefined : null;
}

const computes = (fields: Fields): boolean =>
  [...fields.values()].some((field) => typeof field === 'function' || (field instanceof Map && computes(field)));

function computed(fields: Fields, document: Document, root: Root): Document {
  for (const [name, field] of fields) {
    if (typeof field === 'function') setOrRemove(document, name, field(root.plain, root.typed));
    else if (field instanceof Map && computes(field)) document[name] = computedWithin(field, document[name], root);
  }
  return document;
}

function computedWithin(fields: Fields, value: unknown, root: Root): unknown {
  if (Array.isArray(value)) return value.map((item) => computedWithin(fields, item, root));
  return computed(fields, isDocument(value) ? { ...value } : {}, root);
}

function setOrRemove(document: Document, name: string, value: unknown): void {
  if (value === undefined) delete document[name];
  else document[name] = value;
}

/** Sets the value at a path as `$lookup` and `$unwind` do: a document replaces any other value on the path. */
export function withFieldAt(document: Document, path: readonly string[], value: unknown): Document {
  const [part, ...rest] = path;
  if (part === undefined) return document;
  const result = { ...document };
  const inner = document[part];
  setOrRemove(result, part, rest.length === 0 ? value : withFieldAt(isDocument(inner) ? inner : {}, rest, value));
  return result;
}
