import { Query } from 'mingo/query';
import type { Document, RawDocument } from '../documents/document';
import { decodePlain, encode, isDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import { withoutComment } from './matcher';
import { mingoOptions } from './mingo-context';
import { rawProjection } from './raw-projection';
import type { FieldTree } from './raw-projection';

export type Project = (document: RawDocument) => RawDocument;

/** A function that applies a projection. Plain inclusion and exclusion work on the bytes and keep every type exactly. */
export function createProjection(projection: Document | undefined, filter: Document): Project {
  const entries = Object.entries(projection ?? {});
  if (entries.length === 0) return (document) => document;
  if (!entries.every(([path, value]) => isFlag(value) && !path.includes('$')))
    return computed(projection ?? {}, filter);
  const included = entries.filter(([path, value]) => path !== '_id' && isOn(value));
  const excluded = entries.filter(([path, value]) => path !== '_id' && !isOn(value));
  if (included.length > 0 && excluded.length > 0) {
    throw new CommandError(
      'BadValue',
      `Cannot do exclusion on field ${String(excluded[0]?.[0])} in inclusion projection`,
    );
  }
  const id = entries.find(([path]) => path === '_id')?.[1];
  const inclusive = included.length > 0 || (excluded.length === 0 && isOn(id));
  const paths = (inclusive ? included : excluded).map(([path]) => path);
  if (id === undefined ? inclusive : isOn(id) === inclusive) paths.push('_id');
  return rawProjection(treeOf(paths), inclusive);
}

const isFlag = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';
const isOn = (value: unknown): boolean => value !== 0 && value !== false;

function treeOf(paths: readonly string[]): FieldTree {
  const root: FieldTree = new Map();
  for (const path of paths) {
    addPath(
      root,
      path.split('.').map((part) => Buffer.from(part, 'utf8').toString('latin1')),
    );
  }
  return root;
}

function addPath(tree: FieldTree, [part, ...rest]: readonly string[]): void {
  if (part === undefined) return;
  const child = tree.get(part);
  if (child === 'whole') return;
  if (rest.length === 0) {
    tree.set(part, 'whole');
    return;
  }
  const branch = child ?? (new Map() as FieldTree);
  tree.set(part, branch);
  addPath(branch, rest);
}

/** Projections with operators or expressions go through mingo. */
function computed(projection: Document, filter: Document): Project {
  const query = new Query(withoutComment(filter), mingoOptions());
  const everything = new Query({}, mingoOptions());
  const positional = Object.keys(projection).some((path) => path.endsWith('.$'));
  return (document) => {
    const [result] = (positional ? query : everything).find<Document>([decodePlain(document)], projection).all();
    if (!isDocument(result)) throw new CommandError('BadValue', 'The projection gave no document');
    return encode(result);
  };
}
