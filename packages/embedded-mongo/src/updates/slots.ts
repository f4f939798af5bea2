import type { Document } from '../documents/document';
import { isDocument } from '../documents/document';
import { childOf } from '../documents/paths';
import { CommandError } from '../errors/command-error';

type Container = Document | unknown[];

/** A place in a document that an update operator reads and writes. */
export interface Slot {
  readonly get: () => unknown;
  readonly set: (value: unknown) => void;
  readonly remove: () => void;
}

export interface PathContext {
  /** The array position of `$`. Throws when the query found none. */
  position(): number;
  /** True if the array filter with that identifier matches the element. Throws when there is no such filter. */
  chooses(identifier: string, element: unknown): boolean;
}

/**
 * The handling of a path that does not exist. 'create' creates the missing parents. 'find' finds nothing. Both refuse a
 * path through a value without fields. 'as far as it goes' finds nothing there either.
 */
export type Reach = 'create' | 'find' | 'as far as it goes';

interface Walk {
  readonly path: string;
  readonly parts: readonly string[];
  readonly reach: Reach;
  readonly context: PathContext;
}

/** All slots of a path with `$`, `$[]` and `$[name]`. Lazy, so that the error of the first faulty slot is thrown. */
export function slotsAt(root: Document, path: string, reach: Reach, context: PathContext): Iterable<Slot> {
  return walk(root, 0, { path, parts: path.split('.'), reach, context });
}

/** Replaces `$`, `$[]` and `$[name]` by array positions, as far as the document has arrays there. */
export function concretePaths(root: unknown, path: string, context: PathContext): string[] {
  const expand = (container: unknown, before: readonly string[], parts: readonly string[]): string[] => {
    const [part, ...rest] = parts;
    if (part === undefined) return [before.join('.')];
    if (!part.startsWith('$[')) {
      const key = part === '$' ? String(context.position()) : part;
      return expand(childOf(container, key), [...before, key], rest);
    }
    if (!Array.isArray(container)) return [[...before, ...parts].join('.')];
    const identifier = part.slice(2, -1);
    return container.flatMap((element: unknown, i) =>
      identifier === '' || context.chooses(identifier, element) ? expand(element, [...before, String(i)], rest) : [],
    );
  };
  return expand(root, [], path.split('.'));
}

function* walk(container: unknown, depth: number, path: Walk): Generator<Slot, void, void> {
  const part = path.parts[depth] as string;
  if (part.startsWith('$[') && part.endsWith(']')) {
    yield* walkElements(container, part.slice(2, -1), depth, path);
    return;
  }
  const key = part === '$' ? String(path.context.position()) : part;
  if (Array.isArray(container) ? /^\d+$/.test(key) : isDocument(container)) {
    yield* enter(container as Container, key, depth, path);
    return;
  }
  if (!Array.isArray(container) || path.reach !== 'create') checkNoChoice(path, depth);
  if (path.reach !== 'as far as it goes') refuse(path, depth, container);
}

function* walkElements(container: unknown, identifier: string, depth: number, path: Walk): Generator<Slot, void, void> {
  if (!Array.isArray(container)) throw noArray(path, depth);
  for (const [position, element] of container.entries()) {
    if (identifier === '' || path.context.chooses(identifier, element))
      yield* enter(container, String(position), depth, path);
  }
}

/** Refuses a path that does not reach the array from which its `$[]` or `$[name]` selects elements. */
function checkNoChoice(path: Walk, depth: number): void {
  const chooser = path.parts.findIndex((part, i) => i > depth && part.startsWith('$['));
  if (chooser > 0) throw noArray(path, chooser);
}

const noArray = ({ parts }: Walk, depth: number): CommandError =>
  new CommandError(
    'BadValue',
    `The path '${parts.slice(0, depth).join('.')}' must exist in the document in order to apply array updates.`,
  );

function* enter(container: Container, key: string, depth: number, path: Walk): Generator<Slot, void, void> {
  const slot = slotOf(container, key);
  if (depth === path.parts.length - 1) {
    yield slot;
    return;
  }
  let next = slot.get();
  if (next === undefined) {
    checkNoChoice(path, depth);
    if (path.reach !== 'create') return;
    next = {};
    slot.set(next);
  }
  yield* walk(next, depth + 1, path);
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
