import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const show = (text) => process.stdout.write(`${text}\n`);
const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

/** npm run bench -- log-lines: processor time of the line that the gateway writes for a call, in rounds with and without it. */
export function run() {
  // Like the process of a container, it writes to a pipe that another process empties; what it found comes by standard error.
  const calls = fileURLToPath(new URL('calls.mjs', import.meta.url));
  const { stderr } = spawnSync('sh', ['-c', '"$0" "$1" | cat > /dev/null', process.execPath, calls], {
    encoding: 'utf8',
  });
  const rounds = JSON.parse(stderr);
  const costs = rounds.map(({ written, silent }) => written - silent);
  show(`| | CPU µs a call, median of ${rounds.length} rounds |`);
  show('|---|---:|');
  show(`| with its line | ${median(rounds.map(({ written }) => written)).toFixed(1)} |`);
  show(`| without | ${median(rounds.map(({ silent }) => silent)).toFixed(1)} |`);
  show(
    `| the line | ${median(costs).toFixed(1)} (${Math.min(...costs).toFixed(1)} to ${Math.max(...costs).toFixed(1)}) |`,
  );
}
