import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { journeys, long, touched } from './jest/touched.cjs';

const root = join(__dirname, '..');
const journeyFiles = readdirSync(join(root, 'e2e/src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `e2e/src/${path}`)
  .sort();

interface Left {
  readonly out: readonly string[];
  readonly says: string;
}

/** The test files that a change of these files leaves out, and what is said about it. */
function leftOut(...changed: readonly string[]): Left {
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/reach.mjs', ...changed], {
    cwd: root,
    encoding: 'utf8',
  });
  return { out: stdout.split('\n').filter(Boolean), says: stderr };
}

const longest = [
  'e2e/src/faults/faults.test.ts',
  'e2e/src/oauth/races.test.ts',
  'e2e/src/operations/operations.test.ts',
];

test('a part of a service leaves out the suites that do not import it, and the journeys of other subjects', () => {
  const { out } = leftOut('services/ui-extensions/src/previews/preview.repository.ts');
  expect(out).toEqual(expect.arrayContaining(['services/auth/src/sessions/page.routes.test.ts', ...longest]));
  expect(out.filter((path) => path.startsWith('services/ui-extensions/src/previews/'))).toEqual([]);
  const left = journeyFiles.filter((path) => !out.includes(path));
  // Settings are added in a compiled copy, which has what they import.
  expect(left).toEqual([
    'e2e/src/console/added-settings.test.ts',
    'e2e/src/console/build-jobs.test.ts',
    'e2e/src/console/screens.test.ts',
    'e2e/src/oauth/documentation.test.ts',
    'e2e/src/tour.test.ts',
    'e2e/src/ui-extensions/preview.test.ts',
    'e2e/src/ui-extensions/scope.test.ts',
  ]);
});

test('a journey runs when a file changes that it imports, whatever its subject', () => {
  const { out } = leftOut('e2e/src/small-disk.ts');
  expect(out).not.toContain('e2e/src/full-disk.test.ts');
  expect(out).toContain('e2e/src/start.test.ts');
});

test('a slow machine leaves the long journeys to the long run, and says which', () => {
  const paths = [...longest, 'e2e/src/oauth/pages.test.ts'].map((path) => join(root, path));
  const filter = `import('./scripts/jest/reach.cjs').then(async ({ default: filter }) =>
    console.log(JSON.stringify((await filter(${JSON.stringify(paths)})).filtered)))`;
  const left = (slow: string) => {
    const env = { ...process.env, BASE: '', SLOW_MACHINE: slow };
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', filter], { cwd: root, encoding: 'utf8', env });
    return { kept: JSON.parse(stdout) as readonly string[], says: stderr };
  };
  const slow = left('true');
  expect(longest.filter((path) => slow.kept.includes(join(root, path)))).toEqual([]);
  expect(slow.says).toContain(`Left to npm run test:long by a slow machine: ${longest.join(', ')}`);
  expect(left('').says).not.toContain('slow machine');
});

test('what all import reaches their suites, also through other files', () => {
  const { out } = leftOut('shared/src/base/errors/app-error.ts');
  expect(out.filter((path) => /^(gateway|services)\/.*(routes|app|resolvers)\.test\.ts$/.test(path))).toEqual([]);
  expect(out.filter((path) => path.startsWith('e2e/'))).toEqual([]);
});

test('suites that read files or start programs always run', () => {
  const { out } = leftOut('docs/architecture.md');
  expect(out).not.toContain('embedded/src/worked-copies.test.ts');
  expect(out).not.toContain('scripts/plain-words.test.ts');
  expect(out).not.toContain('services/webhooks/src/documentation.test.ts');
  expect(out.filter((path) => path.startsWith('gateway/'))).toEqual([]);
  expect(out).toContain('services/auth/src/sessions/page.routes.test.ts');
});

test.each([
  ['package-lock.json', 'package-lock.json has changed'],
  ['services/auth/package.json', 'services/auth/package.json has changed'],
  ['jest.config.ts', 'jest.config.ts has changed'],
  ['scripts/jest/runtime.cjs', 'scripts/jest/runtime.cjs has changed'],
  ['shared/src/base/gone.ts', 'shared/src/base/gone.ts was deleted'],
  ['services/graph/src/data.json', 'no suite imports services/graph/src/data.json'],
])('%s reaches everything', (path, reason) => {
  expect(leftOut(path, 'docs/architecture.md')).toEqual({ out: [], says: expect.stringContaining(reason) as unknown });
});

test('a store, the broker and what runs a process touch all journeys', () => {
  for (const path of ['stores/mongo/connect-mongo.ts', 'messages/broker.ts', 'running/run-service.ts'])
    expect(leftOut(`shared/src/${path}`).out.filter((one) => journeyFiles.includes(one))).toEqual([]);
  expect(leftOut('services/auth/src/app.ts').out.filter((one) => journeyFiles.includes(one))).toEqual([]);
});

test('each journey has one subject at most, and each subject has journeys', () => {
  const groupsOf = (path: string) =>
    Object.entries(journeys).flatMap(([name, subject]) => (subject.test(path) ? [name] : []));
  expect(journeyFiles.filter((path) => groupsOf(path).length > 1)).toEqual([]);
  expect(new Set(journeyFiles.flatMap(groupsOf))).toEqual(new Set(Object.keys(journeys)));
  expect(journeyFiles.filter((path) => groupsOf(path).length === 0)).toEqual([
    'e2e/src/console/screens.test.ts',
    'e2e/src/oauth/documentation.test.ts',
    'e2e/src/tour.test.ts',
  ]);
  expect([...long, ...Object.values(touched).flat()].filter((name) => !(name in journeys))).toEqual([]);
});

test('the table of what touches journeys has each folder of the shared library, and no folder that is gone', () => {
  const folders = readdirSync(join(root, 'shared/src')).map((name) => `shared/src/${name}`);
  expect(Object.keys(touched).filter((path) => path.startsWith('shared/src'))).toEqual(folders.sort());
  expect(Object.keys(touched).filter((path) => readdirSync(join(root, path)).length === 0)).toEqual([]);
});
