import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const linesIn = (path: string): number => text(path).trimEnd().split('\n').length;
const quoted = (list: string): string[] => [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
// Prettier may break a long list over several lines.
const [lists = ''] = text('.dependency-cruiser.modules.cjs').split('\n};\n');
const orders = [...lists.matchAll(/^ {2}'?([\w/-]+)'?: \[([^\]]*)\],$/gm)].map(([, part = '', list = '']) => ({
  part,
  modules: quoted(list),
}));

test.each(orders)('$part has the modules that docs/architecture.md lists, in their order', ({ part, modules }) => {
  const [, table = ''] = text('docs/architecture.md').split(`\n| ${part.replace('services/', '')} | owns |\n`);
  const [rows = ''] = table.split('\n\n');
  expect([...rows.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)).toEqual(modules);
  const folders = readdirSync(join(root, part, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => name)
    // Git may leave an empty folder behind after a move.
    .filter((name) => readdirSync(join(root, part, 'src', name)).length > 0);
  expect(folders.sort()).toEqual([...modules].sort());
});

test.each(orders)(
  'the picture of $part draws all of its modules, and what it draws is what they import',
  ({ part, modules }) => {
    const [, section = ''] = text('docs/architecture.md').split(`\n| ${part.replace('services/', '')} | owns |\n`);
    const [picture = ''] = section.split('\n```mermaid\nflowchart LR\n')[1]?.split('\n```') ?? [];
    // A module without arrows has a line of its own.
    const lines = picture.split('\n').map((line) => line.trim().split(' --> '));
    const drawn = lines.flatMap((names) => names.slice(1).map((to, at) => [names[at] ?? '', to] as const));
    const inPicture = new Set(lines.flat());
    expect([...inPicture].sort()).toEqual([...modules].sort());
    const imports = new Map(modules.map((name) => [name, importedBy(part, name, modules)]));
    expect(drawn.filter(([from, to]) => !imports.get(to)?.has(from))).toEqual([]);
    // Every import must be drawn, possibly by way of other modules.
    const reaches = (from: string, to: string): boolean =>
      drawn.some(([start, end]) => start === from && (end === to || reaches(end, to)));
    const missing = modules.flatMap((to) => [...(imports.get(to) ?? [])].map((from) => [from, to] as const));
    expect(missing.filter(([from, to]) => !reaches(from, to))).toEqual([]);
  },
);

/** The modules of the part that production files of `module` import. */
function importedBy(part: string, module: string, modules: readonly string[]): ReadonlySet<string> {
  const folder = join(part, 'src', module);
  const found = productionIn(folder).flatMap((file) =>
    [...text(join(folder, file)).matchAll(/(?:from|import\() ?'((?:\.\.\/)+)([\w-]+)\//g)]
      .filter(([, up = '']) => up.length / 3 === file.split('/').length)
      .map(([, , name = '']) => name),
  );
  return new Set(found.filter((name) => modules.includes(name) && name !== module));
}

/** The paths of production files below `folder`, without tests and their helpers. */
const productionIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((file) => /\.tsx?$/.test(file) && !/(\.(test|contract)\.tsx?$)|(^|\/)(testing|fixtures)\//.test(file));

/** Files with a subject of their own, although only one file uses them. */
const standsAlone = [
  // A format (RFC 9110 §10.2.3) that is independent of attempts.
  'services/webhook-delivery/src/attempts/retry-after.ts',
  // A format (RFC 7515) that is independent of policies.
  'services/webhook-delivery/src/signing/jws.ts',
  // A document (RFC 9728) that clients read by itself.
  'gateway/src/callers/resource-metadata.routes.ts',
  // A rewriting of documents, and a reading of the schema: neither is part of checking or pricing.
  'shared/src/pricing/enum-values.ts',
  'shared/src/pricing/filter-choices.ts',
  // The colours of all pages; a test compares the console's with them.
  'shared/src/api/pages/palette.ts',
  // Time zones of the platform's database, apart from the form of times.
  'shared/src/base/time/zone-offset.ts',
];
/** Composition, files that the check of directions keeps separate, templates, and lists with one item per file. */
const isApart = (file: string): boolean =>
  /\/module\.ts$|\.(service|repository|sdl|page)\.ts$|\/record-types\/[^/]+$/.test(file);

test('a short file with one user in its module is merged into it, if both fit on a few pages', () => {
  const folders = [...orders.map(({ part }) => `${part}/src`), 'console/browser', 'embedded/src'];
  const files = folders.flatMap((folder) => productionIn(folder).map((file) => join(folder, file)));
  const users = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const file of files.filter((one) => !one.endsWith('/module.ts')))
    for (const [, to = ''] of text(file).matchAll(/(?:from|import\() ?'([^']+)'/g)) {
      const path = to.replace(/^@itsm\/shared\//, 'shared/src/');
      const target = to.startsWith('.') ? join(dirname(file), to) : path;
      for (const ending of ['.ts', '.tsx']) users.get(target + ending)?.push(file);
    }
  const modulesOf = new Map(orders.map(({ part, modules }) => [part, modules]));
  const moduleOf = (file: string): string | undefined => {
    const [, part = '', name = ''] = /^(.+)\/src\/([^/]+)\//.exec(file) ?? [];
    return modulesOf.get(part)?.includes(name) ? `${part}/${name}` : undefined;
  };
  const parts = [...users].filter(([file, [user = '', ...others]]) => {
    const isOfOne = others.every((other) => other === user) && moduleOf(file) === moduleOf(user);
    return isOfOne && moduleOf(file) !== undefined && linesIn(file) <= 40 && linesIn(file) + linesIn(user) <= 170;
  });
  expect(parts.map(([file]) => file).filter((file) => !isApart(file))).toEqual(standsAlone);
});

test('the lists cover every service', () => {
  const services = readdirSync(join(root, 'services')).filter((name) =>
    existsSync(join(root, 'services', name, 'src')),
  );
  expect(orders.map(({ part }) => part).sort()).toEqual(
    ['console', 'gateway', 'shared', ...services.map((name) => `services/${name}`)].sort(),
  );
});

test.each(orders.filter(({ part }) => part !== 'shared'))('the app of $part fits on a page', ({ part }) => {
  expect(linesIn(`${part}/src/app.ts`)).toBeLessThanOrEqual(60);
});

test('CONTRIBUTING.md lists the roles that occur in file names', () => {
  const [, list = ''] = text('CONTRIBUTING.md').split('\n* The role of a file stands in its name: ');
  const listed = [...(list.split('\n* ')[0] ?? '').matchAll(/`(?:[\w-]+)?\.([\w-]+)(?:\.ts)?`/g)]
    .map(([, role = '']) => role)
    .filter((role) => role !== 'ts');
  const files = orders.flatMap(({ part }) => readdirSync(join(root, part, 'src'), { recursive: true }).map(String));
  // `.d.ts` declares a library's types, which is no role.
  const roles = files.flatMap((file) => /\/[^./]+\.(?!d\.)([\w-]+)\.tsx?$/.exec(`/${file}`)?.[1] ?? []);
  expect(listed.sort()).toEqual([...new Set(roles)].sort());
});
