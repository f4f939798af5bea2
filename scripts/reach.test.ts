import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { journeys, long, longest, touched } from './jest/touched.cjs';

const root = join(__dirname, '..');
const journeyFiles = readdirSync(join(root, 'e2e/src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `e2e/src/${path}`)
  // These start the whole platform for one subject, too.
  .concat(['clocks', 'console', 'platform-on-mongodb', 'request-log'].map((name) => `embedded/src/${name}.test.ts`))
  .sort();
const isJourney = (path: string) => journeyFiles.includes(path);
const turns = [0, 1, 2, 3, 4, 5];
const always = ['e2e/src/oauth/documentation.test.ts', 'e2e/src/tour.test.ts'];

interface Reach {
  readonly reason?: string;
  readonly parts: number;
  readonly executors: boolean;
  /** The test files that run, and those that do not. */
  readonly runs: readonly string[];
  readonly out: readonly string[];
}

type Changed = readonly string[] | undefined;

/** One process for all questions, which reads the checkout once. */
const script = `
  Promise.all([import('./scripts/reach.mjs'), import('./scripts/check-inputs.mjs')]).then(
    ([{ reachOf, reachesExecutors }, { readTree }]) => {
      const tree = readTree();
      const tests = [...tree.keys()].filter((path) => path.endsWith('.test.ts'));
      process.on('message', ([changed, turns]) => {
        const answers = turns.map((turn) => {
          const { reason, isReached, turns } = reachOf(changed ?? undefined, tree, turn);
          const runs = tests.filter(isReached);
          const executors = reachesExecutors(changed ?? undefined, tree);
          return { reason, parts: turns.parts, executors, runs, out: tests.filter((path) => !runs.includes(path)) };
        });
        process.send(answers);
      });
    },
  );`;
const child = spawn(process.execPath, ['-e', script], { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
afterAll(() => child.kill());

/** What a change of these files reaches, by turn; without files, a change that nobody knows. */
function reachOf(changed: Changed, asked: readonly number[] = [0]): Promise<readonly Reach[]> {
  return new Promise((resolve) => {
    child.once('message', (answers) => resolve(answers as readonly Reach[]));
    child.send([changed ?? null, asked]);
  });
}
const after = async (...changed: readonly string[]): Promise<Reach> => (await reachOf(changed))[0] as Reach;

test('a part of a service leaves out the suites that do not import it, and the journeys of other subjects', async () => {
  const { runs, out, executors } = await after('services/ui-extensions/src/previews/preview.repository.ts');
  expect(out).toEqual(expect.arrayContaining(['services/auth/src/sessions/page.routes.test.ts', ...longest]));
  expect(out.filter((path) => path.startsWith('services/ui-extensions/src/previews/'))).toEqual([]);
  expect(runs.filter(isJourney)).toEqual([
    'e2e/src/console/build-jobs.test.ts',
    'e2e/src/oauth/documentation.test.ts',
    'e2e/src/tour.test.ts',
    'e2e/src/ui-extensions/preview.test.ts',
    'e2e/src/ui-extensions/scope.test.ts',
  ]);
  expect(executors).toBe(false);
});

test('the API of records keeps the journeys of those who work with records, not how the console looks', async () => {
  const { runs } = await after('services/graph/src/api/record.resolvers.ts');
  expect(runs.filter(isJourney)).toEqual([
    'e2e/src/console/days.test.ts',
    'e2e/src/console/desk.test.ts',
    'e2e/src/console/record-forms.test.ts',
    'e2e/src/console/record-lists.test.ts',
    'e2e/src/oauth/documentation.test.ts',
    'e2e/src/records/independent-client.test.ts',
    'e2e/src/tour.test.ts',
  ]);
});

test('what the browser shows reaches the looks of the console, a part at each turn', async () => {
  const answers = await reachOf(['console/browser/frame/screens.ts'], turns);
  const taken = new Set(answers.flatMap(({ runs }) => runs.filter(isJourney)));
  expect([...taken]).toEqual(
    expect.arrayContaining(['states', 'failures', 'screens'].map((name) => `e2e/src/console/${name}.test.ts`)),
  );
  expect([...taken].filter((path) => path.startsWith('e2e/src/operations/'))).toEqual([]);
});

test('a journey runs when a file of the tests changes that it imports, whatever its subject', async () => {
  const { runs, out } = await after('e2e/src/small-disk.ts');
  expect(runs).toContain('e2e/src/full-disk.test.ts');
  expect(out).toContain('e2e/src/start.test.ts');
});

test('what all import reaches their suites, also through other files', async () => {
  const { out } = await after('shared/src/base/errors/app-error.ts');
  expect(out.filter((path) => /^(gateway|services)\/.*(routes|app|resolvers)\.test\.ts$/.test(path))).toEqual([]);
});

test.each([
  [
    'docs/api/webhooks.md',
    ['services/webhooks/src/documentation.test.ts', 'services/webhook-delivery/src/signing/receiver.test.ts'],
  ],
  // By a helper that is given the name of the page.
  ['docs/events.md', ['shared/src/contracts/events.test.ts', 'services/webhooks/src/policies/policy-docs.test.ts']],
  ['docs/operations.md', ['deploy/operations-page.test.ts', 'deploy/sealing-keys.test.ts']],
  // The compiler is started as it is compiled.
  [
    'services/ui-extensions/src/compiler/compiler-process.ts',
    ['services/ui-extensions/src/compiler/serve-sandbox.test.ts'],
  ],
  ['shared/src/running/run-service.ts', ['services/graph/src/killed-process.test.ts', 'gateway/src/processes.test.ts']],
  [
    'services/graph/src/api/record.resolvers.ts',
    ['shared/src/api/http/cookies.test.ts', 'scripts/surface.test.ts', 'deploy/monitoring.test.ts'],
  ],
  [
    'k8s/environments.json',
    ['deploy/table.test.ts', 'deploy/environments.test.ts', 'e2e/src/deployed/deployed.test.ts'],
  ],
  ['console/schema.graphql', ['scripts/field-rules.test.ts', 'console/browser/records/kinds.test.ts']],
  ['Dockerfile', ['deploy/dockerfile.test.ts', 'e2e/src/deployed/deployed.test.ts']],
])('%s reaches the suites that read it, or start what is compiled from it', async (changed, reading) => {
  expect(reading.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect((await after(changed)).out.filter((path) => reading.includes(path))).toEqual([]);
});

test('a suite that reads a file of another part, or starts a program of its own, is left out', async () => {
  const { out } = await after('services/webhooks/src/health/explanation.service.ts');
  expect(out).toEqual(
    expect.arrayContaining([
      'services/ui-extensions/src/compiler/serve-sandbox.test.ts',
      'services/auth/src/testing/plans.engine.test.ts',
      'console/browser/records/kinds.test.ts',
      'scripts/typed-rules.test.ts',
      'deploy/table.test.ts',
    ]),
  );
});

test.each([
  ['package-lock.json', 'package-lock.json has changed'],
  ['services/auth/package.json', 'services/auth/package.json has changed'],
  ['jest.config.ts', 'jest.config.ts has changed'],
  ['scripts/jest/runtime.cjs', 'scripts/jest/runtime.cjs has changed'],
  ['shared/src/base/gone.ts', 'shared/src/base/gone.ts was deleted'],
  ['services/graph/src/data.json', 'no suite imports services/graph/src/data.json'],
])('%s reaches every suite', async (path, reason) => {
  const { out, ...found } = await after(path, 'docs/architecture.md');
  expect(found.reason).toContain(reason);
  expect(out.filter((one) => !isJourney(one))).toEqual([]);
});

test.each([
  { changed: ['package-lock.json'], isLong: false },
  { changed: ['shared/src/base/errors/app-error.ts'], isLong: false },
  { changed: ['shared/src/stores/mongo/connect-mongo.ts'], isLong: true },
  { changed: undefined, isLong: true },
])('of the journeys that $changed touches, each has its turn, twelve at most in a run', async ({ changed, isLong }) => {
  const isOfLong = (path: string) => long.some((name) => journeys[name as keyof typeof journeys].test(path));
  const answers = await reachOf(changed, turns);
  const { parts = 0 } = answers[0] ?? {};
  expect(parts).toBeGreaterThan(3);
  expect(parts).toBeLessThan(turns.length);
  const taken = answers
    .slice(0, parts)
    .map(({ runs }) => runs.filter((path) => isJourney(path) && !always.includes(path)));
  expect(taken.flat().sort()).toEqual(
    journeyFiles.filter((path) => !always.includes(path) && (isLong || !isOfLong(path))),
  );
  for (const run of taken) expect(run.length).toBeLessThanOrEqual(12);
  // The dearest are spread evenly.
  const dear = taken.map((run) => run.filter((path) => longest.includes(path)).length);
  expect(Math.max(...dear) - Math.min(...dear)).toBeLessThanOrEqual(1);
  for (const { runs } of answers) expect(runs).toEqual(expect.arrayContaining(always));
  expect(answers[parts]).toEqual(answers[0]);
});

test('a journey that was edited does not wait for its turn', async () => {
  const edited = 'e2e/src/console/states.test.ts';
  for (const { runs } of await reachOf(['package-lock.json', edited], turns)) expect(runs).toContain(edited);
});

test('the other executor is for changes of the gateway and of prices, and for what may be anything', async () => {
  expect((await after('gateway/src/graphql/module.ts')).executors).toBe(true);
  expect((await after('package-lock.json')).executors).toBe(true);
  expect((await after('shared/src/base/errors/app-error.ts')).executors).toBe(false);
});

test('a run says which journeys wait, and how to choose their turn', () => {
  const { stderr } = spawnSync(process.execPath, ['scripts/reach.mjs', 'package-lock.json'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TURN: '2' },
  });
  expect(stderr).toContain('Everything runs: package-lock.json has changed.');
  expect(stderr).toMatch(/Journeys by turns: part 2 of \d, by the commit or by TURN=1 to TURN=\d\./);
  expect(stderr).toContain('e2e/src/console/states.test.ts');
});

test('each journey has one subject at most, and each subject has journeys', () => {
  const groupsOf = (path: string) =>
    Object.entries(journeys).flatMap(([name, subject]) => (subject.test(path) ? [name] : []));
  expect(journeyFiles.filter((path) => groupsOf(path).length > 1)).toEqual([]);
  expect(new Set(journeyFiles.flatMap(groupsOf))).toEqual(new Set(Object.keys(journeys)));
  expect(journeyFiles.filter((path) => groupsOf(path).length === 0)).toEqual(always);
  expect([...long, ...Object.values(touched).flat()].filter((name) => !(name in journeys))).toEqual([]);
});

test('the table of what touches journeys has each folder of the shared library, and nothing that is gone', () => {
  const folders = readdirSync(join(root, 'shared/src')).map((name) => `shared/src/${name}`);
  expect(Object.keys(touched).filter((path) => path.startsWith('shared/src'))).toEqual(folders.sort());
  expect(Object.keys(touched).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
