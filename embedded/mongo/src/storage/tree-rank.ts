import type BTree from 'sorted-btree';

/** A node of the tree; an inner one has children, each with its greatest key in `keys`. */
interface Node {
  readonly keys: readonly string[];
  readonly children?: readonly Node[];
  size(): number;
}

/** How many keys come before `key`: one walk from the root to a leaf, since every node knows its size. */
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
