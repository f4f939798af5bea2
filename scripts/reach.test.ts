import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { touched } from './jest/touched.cjs';

const root = join(__dirname, '..');

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

const long = ['e2e/src/faults/faults.test.ts', 'e2e/src/oauth/races.test.ts', 'e2e/src/operations/operations.test.ts'];

test('a part of a service leaves out the suites that do not import it, and no journey but the long ones', () => {
  const { out } = leftOut('services/ui-extensions/src/previews/preview.repository.ts');
  expect(out).toEqual(expect.arrayContaining(['services/auth/src/sessions/page.routes.test.ts', ...long]));
  expect(out.filter((path) => path.startsWith('services/ui-extensions/src/previews/'))).toEqual([]);
  expect(out.filter((path) => path.startsWith('e2e/') && !/faults|races|operations/.test(path))).toEqual([]);
});

test('a slow machine leaves the long journeys to the long run, and says which', () => {
  const paths = [...long, 'e2e/src/oauth/pages.test.ts'].map((path) => join(root, path));
  const filter = `import('./scripts/jest/reach.cjs').then(async ({ default: filter }) =>
    console.log(JSON.stringify((await filter(${JSON.stringify(paths)})).filtered)))`;
  const left = (slow: string) => {
    const env = { ...process.env, BASE: '', SLOW_MACHINE: slow };
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', filter], { cwd: root, encoding: 'utf8', env });
    return { kept: JSON.parse(stdout) as readonly string[], says: stderr };
  };
  const slow = left('true');
  expect(long.filter((path) => slow.kept.includes(join(root, path)))).toEqual([]);
  expect(slow.says).toContain(`Left to npm run test:long by a slow machine: ${long.join(', ')}`);
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

test('a store, the broker and what runs a process touch the long journeys', () => {
  for (const path of ['stores/mongo/connect-mongo.ts', 'messages/broker.ts', 'running/run-service.ts'])
    expect(leftOut(`shared/src/${path}`).out.filter((one) => long.includes(one))).toEqual([]);
  expect(leftOut('services/auth/src/app.ts').out.filter((one) => long.includes(one))).toEqual([]);
});

test('the table of what touches the long journeys has each folder of the shared library, and no other', () => {
  const folders = readdirSync(join(root, 'shared/src')).map((name) => `shared/src/${name}`);
  expect(Object.keys(touched).filter((path) => path.startsWith('shared/src'))).toEqual(folders.sort());
  expect(Object.keys(touched).filter((path) => readdirSync(join(root, path)).length === 0)).toEqual([]);
});
