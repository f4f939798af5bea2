import { parseArgs } from 'node:util';
import { explainDelivery, listDeliveries, redeliverDelivery } from './commands';
import { runCommand } from './run-command';
import type { Command } from './run-command';

const usage = `Usage:
  npm run deliveries -- list --account wdc [--webhook 7] [--state failed] [--limit 50]
  npm run deliveries -- explain --account wdc <delivery id>
  npm run deliveries -- redeliver --account wdc <delivery id>…`;

/** What the operator of the installation asks about deliveries, and has made again. */
// eslint-disable-next-line no-restricted-syntax -- the entry point of a process, as main.ts is.
runCommand(process.env, (): Command => {
  const { values, positionals } = parseOptions();
  const { account, webhook, state, limit = '50' } = values;
  const [verb, ...ids] = positionals;
  if (account === undefined) throw new Error(usage);
  if (verb === 'list' && ids.length === 0 && /^[1-9]\d{0,3}$/.test(limit)) {
    return (operator) => listDeliveries(operator, account, { webhook, state, limit: Number(limit) });
  }
  const [id] = ids;
  if (verb === 'explain' && id !== undefined && ids.length === 1) {
    return (operator) => explainDelivery(operator, account, id);
  }
  if (verb === 'redeliver' && ids.length > 0) return (operator) => redeliverDelivery(operator, account, ids);
  throw new Error(usage);
});

function parseOptions() {
  const text = { type: 'string' } as const;
  return parseArgs({ options: { account: text, webhook: text, state: text, limit: text }, allowPositionals: true });
}
