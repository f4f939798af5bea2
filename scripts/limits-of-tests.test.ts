import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from 'jest';

const root = join(__dirname, '..');

/** The lines of a test file that lint refuses. */
function lint(...lines: readonly string[]): readonly number[] {
  const eslint = join(root, 'node_modules/.bin/eslint');
  const args = ['--stdin', '--stdin-filename', 'shared/src/base/planted.test.ts', '--format', 'json'];
  const { stdout } = spawnSync(eslint, args, { cwd: root, input: lines.join('\n'), encoding: 'utf8' });
  const [found] = JSON.parse(stdout) as { messages: { ruleId: string; line: number }[] }[];
  const refused = (found?.messages ?? []).filter(({ ruleId }) => ruleId === 'no-restricted-syntax');
  return [...new Set(refused.map(({ line }) => line))];
}

test('lint refuses own limits of tests and hooks, and second tries', () => {
  const work = '() => expect(1).toBe(1)';
  const refused = [
    `test('a', ${work}, 30_000);`,
    `it('a', ${work}, limit);`,
    `test.skip('a', ${work}, 30_000);`,
    `test.each([1])('a %d', ${work}, 30_000);`,
    `test.concurrent.each([1])('a %d', ${work}, 30_000);`,
    `withProgram('a', ${work}, 30_000);`,
    `beforeAll(${work}, 30_000);`,
    `afterEach(${work}, limit);`,
    'jest.setTimeout(30_000);',
    'jest.retryTimes(2);',
  ];
  const taken = [
    `test('a', ${work});`,
    `test.each([1])('a %d', ${work});`,
    `beforeAll(${work});`,
    `setTimeout(${work}, 10);`,
    `retry('a', 3, ${work});`,
  ];
  expect(lint(...refused, ...taken)).toEqual(refused.map((_line, at) => at + 1));
});

test('each configuration of Jest has a limit that only ends what hangs', () => {
  const configurations = readdirSync(root).filter((name) => /^jest.*\.config\.ts$/.test(name));
  expect(configurations.length).toBeGreaterThan(4);
  for (const name of configurations) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- by name, so that a further one is checked too
    const { default: config } = require(join(root, name)) as { readonly default: Config };
    expect([name, config.testTimeout]).toEqual([name, expect.any(Number)]);
    expect(config.testTimeout).toBeGreaterThanOrEqual(300_000);
  }
});
