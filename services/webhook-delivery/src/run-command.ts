import { runMain } from '@itsm/shared/running/run-main';
import { connectAmqpBroker } from '@itsm/shared/messages/broker/amqp-broker';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from './app';
import type { DeliveryOperator } from './commands';
import { loadConfig } from './config';

/** What the operator wants, and the text that answers it. */
export type Command = (operator: DeliveryOperator) => Promise<string>;

/**
 * Runs one command beside the running service, on the same settings; what is due is left to the service. `parse` refuses
 * wrong options before anything is opened.
 */
export function runCommand(env: NodeJS.ProcessEnv, parse: () => Command): void {
  runMain(async () => {
    const command = parse();
    const config = loadConfig(env);
    const logger = createLogger('webhook-delivery', 'error');
    const connection = await connectMongo(config.mongodbUrl);
    const broker = await connectAmqpBroker({ url: config.amqpUrl, service: 'webhook-delivery operator', logger });
    // Not started: it takes no messages and attempts nothing.
    const app = createApp({ config, connection, broker, logger, now: systemClock });
    try {
      process.stdout.write(`${await command(app.operator)}\n`);
    } finally {
      await broker.close();
      await connection.close();
    }
  });
}
