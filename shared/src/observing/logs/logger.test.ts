import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs in a process of its own, whose streams can be read, and which has a time zone of its own. */
const script = `
  const { createLogger } = require('./logger');
  const logger = createLogger('test', 'debug');
  const before = Date.now();
  for (const level of ['error', 'warn', 'info', 'debug']) logger[level]('of level ' + level);
  logger.info('times', { before, after: Date.now() });`;

interface Line {
  readonly level: string;
  readonly timestamp: string;
  readonly before?: number;
  readonly after?: number;
}

function run() {
  const { stdout, stderr } = spawnSync(process.execPath, ['-r', 'esbuild-register', '-e', script], {
    cwd: __dirname,
    encoding: 'utf8',
    env: { TZ: 'Asia/Tokyo', NODE_PATH: join(__dirname, '../../../../node_modules') },
  });
  return { lines: stdout.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Line))), stderr };
}

test('lines of every level go to standard output, and none to standard error', () => {
  const { lines, stderr } = run();
  expect(lines.map(({ level }) => level)).toEqual(['error', 'warn', 'info', 'debug', 'info']);
  expect(stderr).toBe('');
});

test('times are UTC and say so, whatever the time zone of the process', () => {
  const { lines } = run();
  const { before, after } = lines.at(-1) ?? {};
  const [{ timestamp } = { timestamp: '' }] = lines;
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before ?? Infinity);
  expect(Date.parse(timestamp)).toBeLessThanOrEqual(after ?? 0);
});
