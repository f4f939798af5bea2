// The delivery service as deployed, alone in its process.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { handled } from '../handled.mjs';
import { answer } from '../measure.mjs';
import { key } from './key.mjs';
import { profiler } from './profiler.mjs';

const load = createRequire(import.meta.url);
const { createApp } = load('../../services/webhook-delivery/dist/app.js');
const shared = (path) => load(`../../shared/dist/${path}.js`);
const { connectAmqpBroker } = shared('messages/broker/amqp-broker');
const { createLogger } = shared('observing/logs/logger');
const { connectMongo } = shared('stores/mongo/connect-mongo');

const logger = createLogger('webhook-delivery', 'silent');
let connection;
let mostMemory;

async function start({ mongodbUrl, amqpUrl }) {
  connection = await connectMongo(mongodbUrl);
  const broker = await connectAmqpBroker({ url: amqpUrl, service: 'webhook-delivery', logger });
  const config = {
    authJwksUrl: 'http://127.0.0.1:1/jwks',
    baseUrl: 'http://localhost:4000',
    nodeIdDomain: 'bench',
    deliveryKeys: [key],
    allowInsecureReceivers: true,
    deliveryHeaderAliases: [],
  };
  const app = createApp({ config, connection, broker, logger, now: () => new Date() });
  await app.start();
}

const deliveries = () => connection.collection('deliveries');

/** The number of deliveries without a stored result. */
const unfinished = () => deliveries().countDocuments({ state: 'pending' });

/** Fills the log up to `count` deliveries with copies of a past one. */
async function fill({ count }) {
  const { _id, ...rest } = await deliveries().findOne({ state: 'delivered' });
  if (!_id) throw new Error('there is no delivery to copy');
  for (let there = await deliveries().countDocuments(); there < count; there += 10_000) {
    const copies = Array.from({ length: Math.min(10_000, count - there) }, () => ({ ...rest, _id: randomUUID() }));
    await deliveries().insertMany(copies);
  }
  return deliveries().countDocuments();
}

/** The peak memory since the last call; sampled from the first call on. */
function memory() {
  if (mostMemory === undefined) setInterval(() => (mostMemory = Math.max(mostMemory, process.memoryUsage.rss())), 50);
  const most = mostMemory ?? 0;
  mostMemory = process.memoryUsage.rss();
  return most;
}

answer({ start, unfinished, fill, memory, handled, ...profiler });
