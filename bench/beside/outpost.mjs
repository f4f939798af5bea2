// Hookdeck Outpost as one process, on PostgreSQL, Redis and RabbitMQ, with one tenant and one destination.
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../../scripts/engine.mjs';
import { startProcess } from '../measure.mjs';
import { createPrograms, peerOf, startBroker, startPostgres, startRedis, untilHttp } from './programs.mjs';

const apiKey = 'bench-key';
const tenant = 'bench';
const queue = 'bench-publish';

/**
 * `OUTPOST_SERVER` is the server, `OUTPOST` the command that prepares its stores. Two sides: events by its queue, and
 * by its API.
 */
export async function startOutpost(uri) {
  const [server, command] = [peerOf('OUTPOST_SERVER'), peerOf('OUTPOST')];
  if (!server || !command) return undefined;
  const programs = createPrograms('outpost');
  const [redis, postgres, broker] = [
    await startRedis(programs),
    await startPostgres(programs),
    await startBroker(programs),
  ];
  const [port] = await freePorts(1);
  const sender = await startProcess(new URL('./outpost-sender.mjs', import.meta.url));
  await sender.call('open', { amqpUrl: broker.url, queue, port, apiKey, tenant });
  const env = { ...process.env, ...settingsOf({ redis, postgres, broker, port }) };
  execFileSync(command, ['migrate', 'apply', '--yes'], { env, cwd: programs.directory, stdio: 'ignore' });
  const outpost = programs.keep('outpost', server, [], { env });
  await untilHttp(outpost, port);
  await pause(2_000);
  const api = apiOf(port);
  await api('PUT', `/tenants/${tenant}`, {});
  await api('POST', `/tenants/${tenant}/destinations`, {
    type: 'webhook',
    topics: ['request.create'],
    config: { url: uri },
  });
  const parts = { outpost: outpost.pid, postgres: postgres.pid, redis: redis.pid, broker: broker.pid };
  const side = (name, by) => ({ name, parts, send: (what) => sender.call('send', { by, ...what }) });
  return {
    sides: [side('Outpost, by its queue', 'queue'), side('Outpost, by its API', 'api')],
    stop() {
      sender.stop();
      programs.stop();
    },
  };
}

/** Telemetry off, and more concurrency than by default: the settings with the highest throughput. */
const settingsOf = ({ redis, postgres, broker, port }) => ({
  API_PORT: `${port}`,
  API_KEY: apiKey,
  API_JWT_SECRET: 's'.repeat(32),
  AES_ENCRYPTION_SECRET: 'a'.repeat(32),
  TOPICS: 'request.create',
  REDIS_HOST: '127.0.0.1',
  REDIS_PORT: `${redis.port}`,
  REDIS_PASSWORD: '',
  REDIS_DATABASE: '0',
  POSTGRES_URL: postgres.url,
  RABBITMQ_SERVER_URL: broker.url,
  PUBLISH_RABBITMQ_SERVER_URL: broker.url,
  PUBLISH_RABBITMQ_QUEUE: queue,
  LOG_LEVEL: 'error',
  GIN_MODE: 'release',
  DISABLE_TELEMETRY: 'true',
  PUBLISH_MAX_CONCURRENCY: '100',
  DELIVERY_MAX_CONCURRENCY: '200',
  LOG_MAX_CONCURRENCY: '10',
  LOG_BATCH_THRESHOLD_SECONDS: '1',
  LOG_BATCH_SIZE: '1000',
});

const apiOf = (port) => async (method, path, body) => {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` };
  const url = `http://127.0.0.1:${port}/api/v1${path}`;
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
};
