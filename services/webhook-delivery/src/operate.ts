import { parseArgs } from 'node:util';
import { systemClock } from '@itsm/shared/base/time/clock';
import { connectAmqpBroker } from '@itsm/shared/messages/broker/amqp-broker';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { runMain } from '@itsm/shared/running/run-main';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { createApp } from './app';
import { explainDelivery, listDeliveries, redeliverDelivery } from './commands';
import type { DeliveryOperator } from './commands';
import { loadConfig } from './config';

const usage = `Usage:
  npm run deliveries -- list --account wdc [--webhook 7] [--state failed] [--limit 50]
  npm run deliveries -- explain --account wdc <delivery id>
  npm run deliveries -- redeliver --account wdc <delivery id>…`;

/** A command of the operator; resolves with the text to print. */
type Command = (operator: DeliveryOperator) => Promise<string>;

/** The operator's commands: list, explain and redeliver deliveries. */
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

/**
 * Runs one command beside the running service, on the same settings; due deliveries are left to the service. `parse`
 * refuses wrong options before any connection is opened.
 */
function runCommand(env: NodeJS.ProcessEnv, parse: () => Command): void {
  runMain(async () => {
    const command = parse();
    const config = loadConfig(env);
    const logger = createLogger('webhook-delivery', 'error');
    const connection = await connectMongo(config.mongodbUrl);
    const broker = await connectAmqpBroker({ url: config.amqpUrl, service: 'webhook-delivery operator', logger });
    // Never started, so it consumes no messages and attempts nothing.
    const app = createApp({ config, connection, broker, logger, now: systemClock });
    try {
      process.stdout.write(`${await command(app.operator)}\n`);
    } finally {
      await broker.close();
      await connection.close();
    }
  });
}
