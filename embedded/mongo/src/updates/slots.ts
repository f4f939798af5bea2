import type { Document } from '../documents/document';
import { isDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';

type Container = Document | unknown[];

/** A place in a document that an update operator reads and writes. */
export interface Slot {
  readonly get: () => unknown;
  readonly set: (value: unknown) => void;
  readonly remove: () => void;
}

export interface PathContext {
  /** The index that `$` stands for at that array. Throws when the query matched none. */
  positionOf(arrayPath: string): number;
  /** Does the array filter with that identifier choose the element? Throws when there is no such filter. */
  chooses(identifier: string, element: unknown): boolean;
}

interface Walk {
  readonly path: string;
  readonly parts: readonly string[];
  readonly create: boolean;
  readonly context: PathContext;
}

/** All places a path with `$`, `$[]` and `$[name]` reaches; with `create`, missing parents are made. */
export function slotsAt(root: Document, path: string, create: boolean, context: PathContext): Slot[] {
  return walk(root, 0, { path, parts: path.split('.'), create, context });
}

function walk(container: unknown, depth: number, path: Walk): Slot[] {
  const part = path.parts[depth] as string;
  if (part.startsWith('$[') && part.endsWith(']')) return walkElements(container, part.slice(2, -1), depth, path);
  if (!Array.isArray(container) && !isDocument(container)) return path.create ? refuse(path, depth, container) : [];
  const key = part === '$' ? String(path.context.positionOf(path.parts.slice(0, depth).join('.'))) : part;
  if (Array.isArray(container) && !/^\d+$/.test(key)) return path.create ? refuse(path, depth, container) : [];
  return enter(container, key, depth, path);
}

function walkElements(container: unknown, identifier: string, depth: number, path: Walk): Slot[] {
  if (!Array.isArray(container)) {
    const before = path.parts.slice(0, depth).join('.');
    throw new CommandError(
      'BadValue',
      `The path '${before}' must exist in the document in order to apply array updates.`,
    );
  }
  return container.flatMap((element: unknown, position) =>
    identifier === '' || path.context.chooses(identifier, element)
      ? enter(container, String(position), depth, path)
      : [],
  );
}

function enter(container: Container, key: string, depth: number, path: Walk): Slot[] {
  if (depth === path.parts.length - 1) return [slotOf(container, key)];
  const slot = slotOf(container, key);
  let next = slot.get();
  if (next === undefined) {
    if (!path.create) return [];
    next = {};
    slot.set(next);
  }
  return walk(next, depth + 1, path);
}

function refuse(path: Walk, depth: number, container: unknown): never {
  const field = path.parts[depth] ?? '';
  const parent = path.parts[depth - 1] ?? '';
  const kind = Array.isArray(container) ? 'an array' : container === null ? 'null' : 'a value that is no document';
  throw new CommandError('PathNotViable', `Cannot create field '${field}' in element '${parent}', which is ${kind}`);
}

const maxArrayGrowth = 1_500_000;

function slotOf(container: Container, key: string): Slot {
  if (!Array.isArray(container)) {
    return {
      get: () => (Object.hasOwn(container, key) ? container[key] : undefined),
      set: (value) => {
        container[key] = value;
      },
      remove: () => {
        delete container[key];
      },
    };
  }
  const position = Number(key);
  return {
    get: () => container[position],
    set: (value) => {
      if (position - container.length > maxArrayGrowth)
        throw new CommandError('BadValue', `can't backfill more than ${maxArrayGrowth} elements`);
      while (container.length < position) container.push(null);
      container[position] = value;
    },
    remove: () => {
      if (position < container.length) container[position] = null;
    },
  };
}
