// … gateway's log … | npm run --silent busiest [-- --by=accountId,applicationId,operation]: reads lines of the gateway's
// log, and prints who took the most time of the platform, the busiest first. `--by` names fields of the lines.
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const shown = 20;
const { values } = parseArgs({ options: { by: { type: 'string', default: 'accountId' } } });
const fields = values.by.split(',');

const groups = new Map();
for await (const text of createInterface({ input: process.stdin })) {
  const line = requestIn(text);
  if (line) add(line);
}

/** The fields of the line of a call; undefined for any other line. Docker compose writes a name before each. */
function requestIn(text) {
  const begin = text.indexOf('{');
  if (begin < 0) return undefined;
  try {
    const line = JSON.parse(text.slice(begin));
    return line.service === 'gateway' && line.message === 'request' ? line : undefined;
  } catch {
    return undefined;
  }
}

function add(line) {
  const key = fields.map((field) => String(line[field] ?? '-'));
  const name = JSON.stringify(key);
  const { milliseconds = 0, points = 0, upstream = {} } = line;
  const group = groups.get(name) ?? { key, calls: 0, milliseconds: 0, slowest: 0, points: 0, upstream: {} };
  groups.set(name, group);
  group.calls += 1;
  group.milliseconds += milliseconds;
  group.slowest = Math.max(group.slowest, milliseconds);
  group.points += points;
  for (const [service, spent] of Object.entries(upstream))
    group.upstream[service] = (group.upstream[service] ?? 0) + spent;
}

const seconds = (milliseconds) => (milliseconds / 1_000).toFixed(1);
const busiest = [...groups.values()].sort((one, other) => other.milliseconds - one.milliseconds).slice(0, shown);
const rows = busiest.map(({ key, calls, milliseconds, slowest, points, upstream }) => [
  ...key,
  seconds(milliseconds),
  calls,
  seconds(slowest),
  points,
  Object.entries(upstream)
    .sort(([, one], [, other]) => other - one)
    .map(([service, spent]) => `${service} ${seconds(spent)}`)
    .join(', '),
]);
for (const row of [[...fields, 'seconds', 'calls', 'slowest', 'points', 'seconds at services'], ...rows])
  process.stdout.write(`${row.join('\t')}\n`);
