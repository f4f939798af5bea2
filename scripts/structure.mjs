// node scripts/structure.mjs [checkout]: for each part the folders below `src/`, the imports between them (with types,
// without tests), and the largest strongly connected component.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './prepare.mjs';

const checkout = process.argv[2] ?? root;
const services = readdirSync(join(checkout, 'services')).map((name) => `services/${name}`);
const parts = [...services, 'gateway', 'console', 'shared'].filter((part) => existsSync(join(checkout, part, 'src')));

const rows = parts.map((part) => {
  const arrows = arrowsOf(join(checkout, part, 'src'));
  const between = [...arrows.values()].reduce((sum, to) => sum + to.size, 0);
  return `| ${part.replace('services/', '')} | ${arrows.size} | ${between} | ${largestKnot(arrows)} |`;
});
say(['| part | folders | arrows | knot |', '|---|---|---|---|', ...rows].join('\n'));

/** By folder: the folders that its files import. */
function arrowsOf(source) {
  const files = readdirSync(source, { recursive: true })
    .map(String)
    .filter((file) => /\/.+\.tsx?$/.test(file) && !/(\.(test|contract)\.tsx?$)|(^|\/)(testing|fixtures)\//.test(file));
  const arrows = new Map(files.map((file) => [file.split('/')[0], new Set()]));
  for (const file of files) {
    const [from] = file.split('/');
    for (const [, path] of readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const [to] = join(file, '..', path).split('/');
      if (to !== from && arrows.has(to)) arrows.get(from).add(to);
    }
  }
  return arrows;
}

function largestKnot(arrows) {
  const reached = (from, seen = new Set()) => {
    for (const to of arrows.get(from)) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  const reach = new Map([...arrows.keys()].map((name) => [name, reached(name)]));
  const knotOf = (name) => [...reach.get(name)].filter((other) => reach.get(other).has(name)).length;
  return Math.max(0, ...[...arrows.keys()].map(knotOf));
}
