import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { waitUntil } from '@itsm/shared/testing/wait-until';

const compiler = join(__dirname, '../../dist/compiler/compiler-process.js');

beforeAll(() => {
  execFileSync(process.execPath, [join(__dirname, '../../../../scripts/build.mjs')]);
});

/**
 * Starts a service, sends its sandbox a SIGTERM, which it ignores, and then gives it `css` to compile. Returns the
 * sandbox's process id.
 */
async function startService(css: string) {
  const service = spawn(process.execPath, [
    '-e',
    `const sandbox = require('node:child_process').fork(${JSON.stringify(compiler)});
     const send = (text) => sandbox.send({ job: { field: 'css', text, scope: '.x' }, cpuMilliseconds: 60_000 });
     sandbox.once('message', () => {
       sandbox.kill('SIGTERM');
       sandbox.kill('SIGINT');
       send('');
       sandbox.once('message', () => {
         send(${JSON.stringify(css)});
         console.log(sandbox.pid);
       });
     });`,
  ]);
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  return { service, sandbox: Number(line.toString()) };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each([
  ['a busy', '@while true {}'],
  ['an idle', '.a { b: c }'],
])('%s sandbox ignores signals to stop and does not outlive its service', async (_state, css) => {
  const { service, sandbox } = await startService(css);
  expect(isAlive(sandbox)).toBe(true);
  service.kill('SIGKILL');
  await waitUntil('the sandbox to have ended', () => !isAlive(sandbox));
});
