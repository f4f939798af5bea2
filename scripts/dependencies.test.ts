import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

interface LockedPackage {
  readonly deprecated?: string;
  readonly link?: boolean;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const own = Object.entries(lock.packages).filter(([path, { link }]) => !path.includes('node_modules') && !link);
const direct = own.flatMap(([path, { dependencies, devDependencies }]) =>
  Object.entries({ ...dependencies, ...devDependencies }).map(([name, version]) => ({ path, name, version })),
);
const locked = (path: string, name: string): LockedPackage | undefined =>
  lock.packages[`${path}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];

test('every direct dependency is pinned exactly', () => {
  expect(direct.length).toBeGreaterThan(30);
  expect(direct.filter(({ version }) => !/^(npm:\S+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('no direct dependency is deprecated', () => {
  const deprecated = direct.filter(({ path, name }) => locked(path, name)?.deprecated !== undefined);
  expect(deprecated.map(({ name }) => name)).toEqual([]);
});

test('the lock file names no registry', () => {
  expect(JSON.stringify(lock)).not.toMatch(/"resolved":"https?:/);
});

test('the lock file has the native builds of every platform, which npm ci needs', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !locked(path, name)),
  );
  expect(missing).toEqual([]);
});

const fromRegistry = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

test('every production package has a digest, and every development package except native builds of other platforms', () => {
  expect(fromRegistry.length).toBeGreaterThan(500);
  const unchecked = fromRegistry.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
  const isHere = ({ os = [], cpu = [] }: LockedPackage) => os.includes('linux') && cpu.includes('x64');
  const foreign = (one: LockedPackage) => one.dev && one.optional && (one.os ?? []).length > 0 && !isHere(one);
  expect(unchecked.filter(([, locked]) => !foreign(locked)).map(([path]) => path)).toEqual([]);
});

/** Permissive licences that only require their notice to be kept. */
const allowedLicences = [
  'Apache-2.0',
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Python-2.0',
  'CC0-1.0',
  'Unlicense',
];

/** Read in the package: its `package.json` lacks `license`, or has the old form. */
const undeclared: Readonly<Record<string, string>> = { busboy: 'MIT', limiter: 'MIT', streamsearch: 'MIT' };

/**
 * Source-available: free to use and change, but not to be offered as a managed service that mainly consists of these
 * packages.
 */
const sourceAvailable = ['composition', 'federation-internals', 'gateway', 'query-graphs', 'query-planner'];

test('every delivered package has a permitted licence', () => {
  const isAllowed = (licence: string): boolean =>
    licence
      .replace(/^\((.*)\)$/, '$1')
      .split(' OR ')
      .some((choice) => choice.split(' AND ').every((one) => allowedLicences.includes(one)));
  const delivered = fromRegistry.flatMap(([path, { dev, license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return dev ? [] : [{ name, licence: license ?? undeclared[name] ?? 'none' }];
  });
  expect(delivered.length).toBeGreaterThan(150);
  const others = delivered.filter(({ licence }) => !isAllowed(licence));
  const elastic = sourceAvailable.map((name) => ({ name: `@apollo/${name}`, licence: 'Elastic-2.0' }));
  expect(others).toEqual(elastic);
});
