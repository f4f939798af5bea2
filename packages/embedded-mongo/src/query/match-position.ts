import { someAt } from '../documents/paths';
import type { FilterTree, Leaf } from './filter-tree';
import { elementTestOf, testOf } from './leaf-tests';
import { compile } from './matcher';

/**
 * The array position that the positional operator `$` stands for: the position of the element that matched the last
 * condition on an array. Undefined if there is none. Conditions in `$nor`, `$not` and an `$or` of several branches do
 * not count.
 */
export function matchPosition(tree: FilterTree, document: unknown): number | undefined {
  return positionOf(tree, document).position;
}

interface Outcome {
  readonly matched: boolean;
  readonly position: number | undefined;
}

function positionOf(tree: FilterTree, document: unknown): Outcome {
  switch (tree.kind) {
    case 'and': {
      const outcomes = tree.branches.map((branch) => positionOf(branch, document));
      const position = outcomes.map((one) => one.position).findLast((one) => one !== undefined);
      return { matched: outcomes.every(({ matched }) => matched), position };
    }
    case 'or':
    case 'nor':
    case 'not':
    case 'never':
    case 'expression':
      return { matched: compile(tree, {})(document), position: undefined };
    default:
      return leafPosition(tree, document);
  }
}

function leafPosition(leaf: Leaf, document: unknown): Outcome {
  const inner = (tree: FilterTree) => compile(tree, {});
  const isElement = leaf.kind === 'elementDocument' || leaf.kind === 'elementValue';
  const test = testOf(leaf, inner);
  let position: number | undefined;
  const matched = someAt(document, leaf.path.split('.'), isElement || leaf.kind === 'size', (value, outer) => {
    if (!test(value)) return false;
    position = outer;
    if (isElement && outer === undefined) position = (value as unknown[]).findIndex(elementTestOf(leaf, inner));
    return true;
  });
  return { matched, position };
}
