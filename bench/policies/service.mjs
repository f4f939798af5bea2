// The webhooks service of a checkout, with the policies of one account.
import { accountId, loadCompiled, startKeys } from '../checkout.mjs';
import { answer } from '../measure.mjs';
import { profiler } from '../delivery/profiler.mjs';

const { createApp } = loadCompiled('services/webhooks/dist/app.js');
const { loadConfig } = loadCompiled('services/webhooks/dist/config.js');
const { listen } = loadCompiled('shared/dist/running/listen.js');
const { createLogger } = loadCompiled('shared/dist/observing/logs/logger.js');
const { connectMongo } = loadCompiled('shared/dist/stores/mongo/connect-mongo.js');

const broker = { publish: async () => {}, subscribe: async () => {}, isUp: () => true, close: async () => {} };

/** Each has the keys of three rotations. */
function policyOf(id) {
  const day = 24 * 60 * 60 * 1_000;
  const at = (days) => new Date(Date.UTC(2026, 0, 1) + days * day);
  const keys = [0, 30, 60].map((days) => ({
    kid: `key-${id}-${days}`,
    createdAt: at(days),
    signsFrom: at(days),
    sealed: 'sealed',
    publicJwk: { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) },
  }));
  return {
    _id: id,
    accountId,
    name: `policy-${id}`,
    algorithm: 'es256',
    audience: id % 2 === 0 ? 'https://receiver.example' : null,
    expiresInMinutes: 5,
    rotationDays: null,
    disabled: false,
    keys,
    source: 'bench',
    sourceID: String(id),
    createdAt: at(0),
    updatedAt: at(60),
    revision: 3,
    careAt: null,
    audit: [],
  };
}

async function start({ mongodbUrl, policies }) {
  const connection = await connectMongo(mongodbUrl);
  const { jwksUri, token } = await startKeys('webhooks', 'account_administrator');
  const config = loadConfig({
    MONGODB_URL: mongodbUrl,
    AMQP_URL: 'amqp://none',
    AUTH_JWKS_URL: jwksUri,
    BASE_URL: 'http://localhost:4000',
    ACCOUNT_URL: 'http://localhost:4000/accounts/{account}',
    DELIVERY_KEYS: Buffer.alloc(32, 1).toString('base64'),
  });
  const logger = createLogger('webhooks', 'silent');
  const app = createApp({ config, connection, broker, logger, now: () => new Date() });
  await app.start();
  await connection
    .collection('webhook_policies')
    .insertMany(Array.from({ length: policies }, (_none, n) => policyOf(n + 1)));
  const { port } = await listen(app, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}/v1/webhook_policies`, token };
}

answer({ start, ...profiler });
