import type BTree from 'sorted-btree';

/** A node of the tree. An inner node has children, and `keys` has the greatest key of each. */
interface Node {
  readonly keys: readonly string[];
  readonly children?: readonly Node[];
  size(): number;
}

/** The number of keys less than `key`. One walk from the root to a leaf is enough: every node knows its size. */
export function rankOf(tree: BTree<string, number>, key: string): number {
  let node = (tree as unknown as { readonly _root: Node })._root;
  let rank = 0;
  for (;;) {
    const position = lowerBound(node.keys, key);
    if (!node.children) return rank + position;
    for (let i = 0; i < position; i += 1) rank += node.children[i]?.size() ?? 0;
    const child = node.children[position];
    if (!child) return rank;
    node = child;
  }
}

/** The first position whose key is not less than `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
