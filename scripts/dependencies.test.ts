import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

interface LockedPackage {
  readonly deprecated?: string;
  readonly link?: boolean;
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
  expect(direct.filter(({ version }) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('no direct dependency is deprecated', () => {
  const deprecated = direct.filter(({ path, name }) => locked(path, name)?.deprecated !== undefined);
  expect(deprecated.map(({ name }) => name)).toEqual([]);
});

test('the lock file names no registry', () => {
  expect(JSON.stringify(lock)).not.toMatch(/"resolved":"https?:/);
});

test('the lock file names the native builds of every platform, without which npm ci refuses it', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !locked(path, name)),
  );
  expect(missing).toEqual([]);
});
