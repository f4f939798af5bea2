import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ofEveryLevel = `
  const before = Date.now();
  for (const level of ['error', 'warn', 'info', 'debug']) logger[level]('of level ' + level);
  logger.info('times', { before, after: Date.now() });`;

interface Line {
  readonly level: string;
  readonly timestamp: string;
  readonly before?: number;
  readonly after?: number;
}

/** Runs the script in a process of its own, whose streams can be read, and which has a time zone of its own. */
function run(script: string) {
  const whole = `const logger = require('./logger').createLogger('test', 'debug'); ${script}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-r', 'esbuild-register', '-e', whole], {
    cwd: __dirname,
    encoding: 'utf8',
    env: { TZ: 'Asia/Tokyo', NODE_PATH: join(__dirname, '../../../../node_modules') },
  });
  return { written: stdout, stderr };
}

const linesIn = (written: string): Line[] =>
  written.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Line)));

test('lines of every level go to standard output, and none to standard error', () => {
  const { written, stderr } = run(ofEveryLevel);
  expect(linesIn(written).map(({ level }) => level)).toEqual(['error', 'warn', 'info', 'debug', 'info']);
  expect(stderr).toBe('');
});

test('times are UTC and say so, whatever the time zone of the process', () => {
  const lines = linesIn(run(ofEveryLevel).written);
  const { before, after } = lines.at(-1) ?? {};
  const [{ timestamp } = { timestamp: '' }] = lines;
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before ?? Infinity);
  expect(Date.parse(timestamp)).toBeLessThanOrEqual(after ?? 0);
});

test('a text with line breaks makes no line of its own', () => {
  const forged = JSON.stringify(`seen\n{"level":"error","message":"forged"}\r\u2028`);
  const { written } = run(`logger.info(${forged}, { text: ${forged} });`);
  expect(written.split(/[\n\r]/)).toEqual([expect.stringContaining('forged'), '']);
});
