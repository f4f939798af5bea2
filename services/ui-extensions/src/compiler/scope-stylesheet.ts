import type { AtRule, ChildNode, Container, Root } from 'postcss';
import { rule as createRule } from 'postcss';
import { scopeNames, unprefixed } from './scope-names';
import { scopeSelectors, scopeSelectorsBy } from './scope-selector';

/**
 * Where the contents of an at-rule go. `inside`: in the rule of the scope. `between`: beside that rule, in the order of
 * the stylesheet. `before`: beside it, in any order, because what it defines has a name of its own.
 */
type Place = 'inside' | 'between' | 'before';

/** The at-rules that can be kept within the scope. Any other one would apply to the page, or is known to no browser. */
const places: Readonly<Record<string, Place>> = {
  media: 'inside',
  supports: 'inside',
  container: 'inside',
  layer: 'inside',
  'starting-style': 'inside',
  scope: 'between',
  keyframes: 'before',
  'font-face': 'before',
  'font-feature-values': 'before',
  'font-palette-values': 'before',
  'counter-style': 'before',
  'position-try': 'before',
  property: 'before',
};

/** What stands within these is no stylesheet of its own. */
const closed = ['font-feature-values'];

interface Placed {
  readonly place: Place;
  readonly node: ChildNode;
}

/** The name of the first at-rule of `root` that cannot be kept within a scope. */
export function findUnscopable(root: Root): string | undefined {
  let found: string | undefined;
  root.walkAtRules(({ name, parent }) => {
    const isPart = parent?.type === 'atrule' && closed.includes(unprefixed((parent as AtRule).name));
    if (!isPart && places[unprefixed(name)] === undefined) found ??= name;
  });
  return found;
}

/**
 * Makes everything in `root` apply to elements with the class of `scope`, and to those below them. Names that it
 * defines for the page (of animations, fonts, …) get the class before them.
 */
export function scopeStylesheet(root: Root, scope: string): void {
  scopeNames(root, `${scope.slice(1)}-`);
  const placed = placedOf(root, scope);
  root.removeAll();
  root.append(...placed.filter(({ place }) => place === 'before').map(({ node }) => node));
  for (const { place, nodes } of runsOf(placed.filter((one) => one.place !== 'before')))
    root.append(...(place === 'inside' ? [createRule({ selector: scope, nodes })] : nodes));
}

const placedOf = (container: Container, scope: string): Placed[] =>
  (container.nodes ?? []).flatMap((node): Placed[] => {
    if (node.type === 'rule') node.selector = scopeSelectors(node.selector);
    return node.type === 'atrule' ? placedAtRule(node, scope) : [{ place: 'inside', node }];
  });

function placedAtRule(atRule: AtRule, scope: string): Placed[] {
  const name = unprefixed(atRule.name);
  const place = places[name] ?? 'inside';
  if (name === 'scope') atRule.params = scopedPrelude(atRule.params, scope);
  if (place !== 'inside') return [{ place, node: atRule }];
  // `@layer a, b` is not allowed in a rule, and an empty layer only has its place in the order.
  if (!atRule.nodes?.length) return [{ place: 'between', node: atRule }];
  return runsOf(placedOf(atRule, scope)).map(({ place, nodes }) => ({
    // The order of layers is that of their first mention.
    place: name === 'layer' && place === 'before' ? 'between' : place,
    node: atRule.clone({ nodes }),
  }));
}

/** Neighbours with the same place, together. */
function runsOf(placed: readonly Placed[]): { place: Place; nodes: ChildNode[] }[] {
  const runs: { place: Place; nodes: ChildNode[] }[] = [];
  for (const { place, node } of placed) {
    const last = runs.at(-1);
    if (last?.place === place) last.nodes.push(node);
    else runs.push({ place, nodes: [node] });
  }
  return runs;
}

/** `(.a) to (.b)`: the first is where it begins, which must be within the scope; the second is only below that. */
function scopedPrelude(params: string, scope: string): string {
  const begins = /^\s*\(/.test(params) ? endOfParenthesis(params) : 0;
  const from = params.slice(0, begins).trim().slice(1, -1);
  return `(${from === '' ? scope : scopeSelectorsBy(scope, from)})${params.slice(begins)}`;
}

function endOfParenthesis(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\\[^]|[^]/g)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0 && token === ')') return index + 1;
  }
  return text.length;
}
