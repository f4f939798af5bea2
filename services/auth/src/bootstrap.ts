import { parseArgs } from 'node:util';
import { connectAmqpBroker } from '@itsm/shared/broker/amqp-broker';
import { createLogger } from '@itsm/shared/logs/logger';
import { isAccountId } from '@itsm/shared/identity/account-id';
import { connectMongo } from '@itsm/shared/mongo/connect-mongo';
import { runMain } from '@itsm/shared/app/run-main';
import { systemClock } from '@itsm/shared/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';

const usage = 'BOOTSTRAP_PASSWORD=… node dist/bootstrap.js --account wdc --account-name "…" --name "…" --email …';

/** Makes the first account of an installation, with its administrator; can be repeated to set the password anew. */
runMain(async () => {
  const { account, 'account-name': accountName = account, name, email } = parseOptions();
  const password = process.env['BOOTSTRAP_PASSWORD'] ?? '';
  if (!account || !accountName || !name || !email) throw new Error(`an option is missing. Usage: ${usage}`);
  if (!isAccountId(account)) throw new Error('--account must be a lower-case slug such as wdc');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('--email must be an e-mail address');
  if (password.length < 12) throw new Error('BOOTSTRAP_PASSWORD must have at least 12 characters');

  const config = loadConfig(process.env);
  const logger = createLogger('auth', 'error');
  const connection = await connectMongo(config.mongodbUrl);
  const broker = await connectAmqpBroker({ url: config.amqpUrl, service: 'auth bootstrap', logger });
  const app = createApp({ config, connection, broker, coordination: undefined, logger, now: systemClock });
  await app.start();
  await app.operator.ensureAccount({ id: account, name: accountName });
  const { id } = await app.operator.ensurePerson({
    accountId: account,
    name,
    primaryEmail: email,
    password,
    roles: ['account_administrator', 'specialist'],
  });
  await app.stop();
  await broker.close();
  await connection.close();
  process.stdout.write(
    `Account ${account} is ready; ${name} (person ${id}) can sign in at ${config.baseUrl}/oauth/sign-in\n`,
  );
});

function parseOptions() {
  const text = { type: 'string' } as const;
  return parseArgs({ options: { account: text, 'account-name': text, name: text, email: text } }).values;
}
