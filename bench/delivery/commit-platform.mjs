import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findProgram, freePorts, untilDone } from '../../scripts/engine.mjs';
import { rabbitmqPrograms, rabbitmqSettings } from '../../scripts/rabbitmq-settings.mjs';
import { startCaller } from './commit-caller.mjs';
import { createSupervisor } from './commit-processes.mjs';

const load = createRequire(import.meta.url);
const { accountSaved, personSaved } = load('@itsm/shared/contracts/directory');
const { connectAmqpBroker } = load('@itsm/shared/messages/broker/amqp-broker');
const { createLogger } = load('@itsm/shared/observing/logs/logger');

const root = new URL('../..', import.meta.url).pathname;
const services = ['graph', 'webhooks', 'webhook-delivery'];

/** The services between a change and its receivers, with their own RabbitMQ, on separate databases in `store`. */
export async function startPlatform(directory, store) {
  const supervisor = createSupervisor(join(directory, 'logs'));
  const caller = await startCaller();
  const [amqp, node, mapper, ...own] = await freePorts(3 + services.length);
  const amqpUrl = `amqp://guest:guest@127.0.0.1:${amqp}`;
  startRabbitmq(supervisor, directory, { amqp, node, mapper });
  const origins = Object.fromEntries(services.map((name, index) => [name, `http://127.0.0.1:${own[index]}`]));
  const environment = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    OPS_PORT: '0',
    AMQP_URL: amqpUrl,
    LOG_LEVEL: 'warn',
    BASE_URL: origins.webhooks,
    ACCOUNT_URL: `${origins.webhooks}/accounts/{account}`,
    AUTH_JWKS_URL: caller.jwksUri,
    DELIVERY_KEYS: randomBytes(32).toString('base64'),
    ALLOW_INSECURE_RECEIVERS: 'true',
  };
  await publishPeople(amqpUrl);
  for (const [index, name] of services.entries())
    supervisor.keep(name, process.execPath, ['dist/main.js'], {
      cwd: join(root, 'services', name),
      env: { ...environment, PORT: String(own[index]), MONGODB_URL: await store.url(`commit-${name}`) },
    });
  return {
    origins,
    headers: () => ({
      Authorization: `Bearer ${caller.token}`,
      'X-Service-Account': 'wdc',
      'Content-Type': 'application/json',
    }),
    /** Microseconds of each service and of the store. */
    cpu: async () => ({
      ...Object.fromEntries(services.map((name) => [name, supervisor.cpu(name)])),
      store: await store.cpu(),
    }),
    async stop() {
      await supervisor.stop();
      caller.close();
    },
  };
}

export function startRabbitmq(supervisor, directory, { amqp, node, mapper }) {
  const home = join(directory, 'rabbitmq');
  mkdirSync(home, { recursive: true });
  const erlang = { ...process.env, HOME: home, ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: String(mapper) };
  supervisor.keep('epmd', findProgram(...rabbitmqPrograms.portMapper), [], { cwd: home, env: erlang });
  supervisor.keep('rabbitmq', findProgram(...rabbitmqPrograms.server), [], {
    cwd: home,
    env: { ...erlang, ...rabbitmqSettings(home, amqp, node) },
  });
}

/**
 * Publishes what auth would: the account, and the person who makes the changes. It waits in the queues until there is a
 * consumer.
 */
async function publishPeople(url) {
  const broker = await connectAmqpBroker({ url, service: 'bench', logger: createLogger('bench', 'silent') });
  const account = { id: 'wdc', name: 'Widget Data Center', customUrl: null, directoryAccountId: null };
  const person = { id: 1, accountId: 'wdc', name: 'Ada Adams', primaryEmail: 'ada@example.com', sourceID: null };
  await untilDone(() => broker.publish(accountSaved, { ...account, disabled: false, version: 1 }, randomUUID()));
  const roles = { wdc: ['account_administrator', 'specialist'] };
  await untilDone(() => broker.publish(personSaved, { ...person, roles, disabled: false, version: 1 }, randomUUID()));
  await broker.close();
}
