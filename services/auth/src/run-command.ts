import { runMain } from '@itsm/shared/running/run-main';
import { connectAmqpBroker } from '@itsm/shared/messages/broker/amqp-broker';
import { connectCoordination } from '@itsm/shared/stores/coordination/connect-coordination';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';
import type { Command } from './commands';

/**
 * Runs one command of the operator beside the running service, on the same settings. `parse` refuses wrong options
 * before anything is opened.
 */
export function runCommand(env: NodeJS.ProcessEnv, parse: () => Command): void {
  runMain(async () => {
    const command = parse();
    const config = loadConfig(env);
    const logger = createLogger('auth', 'error');
    const connection = await connectMongo(config.mongodbUrl);
    const broker = await connectAmqpBroker({ url: config.amqpUrl, service: 'auth operator', logger });
    const coordination = await connectCoordination(config.redisUrl, logger);
    const app = createApp({ config, connection, broker, coordination, logger, now: systemClock });
    await app.start();
    try {
      process.stdout.write(`${await command(app.operator, config.baseUrl)}\n`);
    } finally {
      await app.stop();
      await broker.close();
      await coordination?.close();
      await connection.close();
    }
  }, 'Not done');
}
