import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** In a process of its own, whose two streams can be read. */
const script = `
  const { createLogger } = require('./logger');
  const logger = createLogger('test', 'debug');
  for (const level of ['error', 'warn', 'info', 'debug']) logger[level]('of level ' + level);`;

test('lines of every level go to standard output, and none to standard error', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['-r', 'esbuild-register', '-e', script], {
    cwd: __dirname,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NODE_PATH: join(__dirname, '../../../../node_modules') },
  });
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['error', 'warn', 'info', 'debug']);
  expect(stderr).toBe('');
});
