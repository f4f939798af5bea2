// The webhooks service as deployed, alone in its process, with two webhooks of one account.
import { createRequire } from 'node:module';
import { handled } from '../handled.mjs';
import { answer } from '../measure.mjs';
import { key } from '../delivery/key.mjs';
import { profiler } from '../delivery/profiler.mjs';
import { webhooks } from './registered.mjs';

const load = createRequire(import.meta.url);
const { createApp } = load('../../services/webhooks/dist/app.js');
const { loadConfig } = load('../../services/webhooks/dist/config.js');
const { createUriVault } = load('../../services/webhooks/dist/webhooks/uri-vault.js');
const shared = (path) => load(`../../shared/dist/${path}.js`);
const { connectAmqpBroker } = shared('messages/broker/amqp-broker');
const { createLogger } = shared('observing/logs/logger');
const { connectMongo } = shared('stores/mongo/connect-mongo');

const logger = createLogger('webhooks', 'silent');
let connection;

async function start({ mongodbUrl, amqpUrl, uri }) {
  connection = await connectMongo(mongodbUrl);
  const broker = await connectAmqpBroker({ url: amqpUrl, service: 'webhooks', logger });
  const config = loadConfig({
    MONGODB_URL: mongodbUrl,
    AMQP_URL: amqpUrl,
    AUTH_JWKS_URL: 'http://localhost:1/jwks',
    BASE_URL: 'http://localhost:4000',
    ACCOUNT_URL: 'http://localhost:4000/accounts/{account}',
    DELIVERY_KEYS: key.toString('base64'),
    ALLOW_INSECURE_RECEIVERS: 'true',
  });
  await createApp({ config, connection, broker, logger, now: () => new Date() }).start();
  // Another replica has registered the webhooks already.
  if (uri) for (const webhook of Object.values(webhooks)) await register(webhook, uri);
}

async function register({ webhookId: _id, event, webhookPolicyId }, uri) {
  const vault = createUriVault([key]);
  const [accountId, at] = ['bench', new Date()];
  const options = { description: null, mailExceptionsTo: null, source: null, sourceID: null };
  await connection.collection('webhooks').insertOne({
    _id,
    accountId,
    name: `Webhook ${_id}`,
    event,
    sealedUri: vault.seal(_id, uri),
    uriDigest: vault.digest(accountId, uri),
    ...options,
    webhookPolicyId,
    openidConnectDiscovery: false,
    disabled: false,
    disabledReason: null,
    verified: true,
    state: 'active',
    addressGivenAt: at,
    codeHash: null,
    codeExpiresAt: null,
    failureCount: 0,
    countsFrom: at,
    countedAttempts: [],
    warned: 0,
    lastError: null,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  });
}

/** The number of deliveries that are known here to have succeeded. */
const delivered = () => connection.collection('delivery_outcomes').countDocuments({ outcome: 'delivered' });

answer({ start, delivered, handled, ...profiler });
