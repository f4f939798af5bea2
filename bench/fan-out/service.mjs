// The webhooks service as deployed, with a broker that accepts messages at once.
import { createRequire } from 'node:module';
import { answer } from '../measure.mjs';

const load = createRequire(import.meta.url);
const { createApp } = load('../../services/webhooks/dist/app.js');
const { loadConfig } = load('../../services/webhooks/dist/config.js');
const { defaultOptions } = load('../../services/webhooks/dist/webhooks/webhook.js');
const { createUriVault } = load('../../services/webhooks/dist/webhooks/uri-vault.js');
const { createLogger } = load('../../shared/dist/observing/logs/logger.js');
const { connectMongo } = load('../../shared/dist/stores/mongo/connect-mongo.js');

const key = Buffer.alloc(32, 1);
const accountsPerWebhook = 10;
const events = ['request.create', 'request.update', 'task.create', 'sla.update', 'problem.create'];
let fanOut;
let published = 0;
let connection;

const broker = {
  publish: async (contract) => {
    if (contract.name.includes('delivery.requested')) published += 1;
  },
  subscribe: async (queue, handlers) => {
    if (queue.name === 'webhooks.fan-out') fanOut = handlers[0];
  },
  isUp: () => true,
  close: async () => {},
};

async function start({ mongodbUrl, webhooks }) {
  connection = await connectMongo(mongodbUrl);
  const config = loadConfig({
    MONGODB_URL: mongodbUrl,
    AMQP_URL: 'amqp://none',
    AUTH_JWKS_URL: 'http://localhost:1/jwks',
    BASE_URL: 'http://localhost:4000',
    ACCOUNT_URL: 'http://localhost:4000/accounts/{account}',
    DELIVERY_KEYS: key.toString('base64'),
  });
  const app = createApp({
    config,
    connection,
    broker,
    logger: createLogger('webhooks', 'silent'),
    now: () => new Date(),
  });
  await app.start();
  await fill(webhooks);
  return connection.collection('webhooks').countDocuments();
}

/** Ten webhooks in each account, two for each of five events. */
async function fill(count) {
  const vault = createUriVault([key]);
  const at = new Date();
  const state = {
    disabled: false,
    disabledReason: null,
    verified: true,
    state: 'active',
    codeHash: null,
    codeExpiresAt: null,
  };
  const streak = { failureCount: 0, countsFrom: at, countedAttempts: [], warned: 0, lastError: null };
  for (let start = 0; start < count; start += 5_000) {
    const documents = Array.from({ length: Math.min(5_000, count - start) }, (_none, index) => {
      const _id = start + index + 1;
      const accountId = `account-${Math.floor((_id - 1) / accountsPerWebhook)}`;
      const uri = `https://receiver.example/${_id}`;
      return {
        _id,
        accountId,
        name: `Webhook ${_id}`,
        event: events[_id % events.length],
        ...state,
        ...streak,
        sealedUri: vault.seal(_id, uri),
        uriDigest: vault.digest(accountId, uri),
        addressGivenAt: at,
        ...defaultOptions,
        createdAt: at,
        updatedAt: at,
        revision: 1,
      };
    });
    await connection.collection('webhooks').insertMany(documents);
  }
}

/**
 * Handles events in sequence, each visible to a provider and a customer; returns the milliseconds of each, and the
 * requested deliveries.
 */
async function handle({ events: changes }) {
  const before = published;
  const times = [];
  for (const change of changes) {
    const started = performance.now();
    await fanOut.handle(change, { id: change.eventId });
    times.push(performance.now() - started);
  }
  return { times, deliveries: published - before };
}

answer({ start, handle });
