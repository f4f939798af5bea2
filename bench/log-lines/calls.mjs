// What the gateway does for the line of a call, and nothing else of the call.
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';

const load = createRequire(import.meta.url);
const { logRequests } = load('../../shared/dist/api/http/request-log.js');
const { createLogger } = load('../../shared/dist/observing/logs/logger.js');
const { beginFetch, lineOf, recordOf } = load('../../gateway/dist/transport/call-record.js');

const calls = 20_000;
const rounds = 15;
const now = () => new Date();
const steps = Object.fromEntries(
  ['info', 'silent'].map((level) => [
    level,
    logRequests(createLogger('gateway', level), now, 'request', { more: (req) => lineOf(recordOf(req), now) }),
  ]),
);

function call(step) {
  const req = { method: 'POST', url: '/graphql', headers: { 'x-request-id': '0f0e0d0c-1111-4222-8333-444455556666' } };
  const res = Object.assign(new EventEmitter(), { req, statusCode: 200, writableFinished: true });
  step(req, res, () => undefined);
  Object.assign(recordOf(req), {
    accountId: 'wdc',
    personId: 4711,
    applicationId: 12,
    operation: 'MyRequests',
    points: 3,
  });
  beginFetch(recordOf(req), 'graph', now)();
  res.emit('close');
}

async function costOf(step) {
  const before = process.cpuUsage();
  for (let made = 0; made < calls; made += 1) {
    call(step);
    if (made % 20 === 0) await turn();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const found = [];
for (let round = -2; round < rounds; round += 1) {
  const silent = await costOf(steps.silent);
  const written = await costOf(steps.info);
  if (round >= 0) found.push({ written, silent });
}
process.stderr.write(JSON.stringify(found));
