// The graph service in this process, and a caller of its API.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout whose service runs: this one, or a compiled one of another release. */
export const checkout = process.env['CHECKOUT'] ?? fileURLToPath(new URL('../..', import.meta.url));
/** Loads a compiled file of the checkout. */
export const loadCompiled = (path) => createRequire(join(checkout, 'bench/'))(join(checkout, path));

const load = createRequire(import.meta.url);
const jwt = createRequire(load.resolve('../../shared/package.json'))('jsonwebtoken');
const { createApp } = loadCompiled('services/graph/dist/app.js');
const { loadConfig } = loadCompiled('services/graph/dist/config.js');
const { listen } = loadCompiled('shared/dist/running/listen.js');
const identity = loadCompiled('shared/dist/api/identity/caller-token.js');
const { createLogger } = loadCompiled('shared/dist/observing/logs/logger.js');
const { connectMongo } = loadCompiled('shared/dist/stores/mongo/connect-mongo.js');

export const accountId = 'bench';
const broker = { publish: async () => {}, subscribe: async () => {}, close: async () => {} };

async function startKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = JSON.stringify({
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'ES256', use: 'sig' }],
  });
  const server = createServer((_req, res) => res.setHeader('Content-Type', 'application/json').end(jwks));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const claims = {
    sub: '1',
    name: 'Ada',
    home: accountId,
    accounts: { [accountId]: ['specialist'] },
    scopes: [{ effect: 'allow', actions: ['*:*'] }],
    kind: 'personal',
    application: null,
    locale: 'en',
    time_zone: 'UTC',
    exp: Math.floor(Date.now() / 1000) + 36_000,
  };
  const token = jwt.sign(claims, privateKey, {
    algorithm: 'ES256',
    keyid: 'bench',
    audience: identity.callerAudienceOf('graph'),
    issuer: identity.callerTokenIssuer,
    header: { alg: 'ES256', typ: identity.callerTokenType },
  });
  return { jwksUri: `http://127.0.0.1:${server.address().port}/jwks`, token };
}

/** `fill(connection)` stores what the service finds at its first call; its indexes exist then. */
export async function startApp(mongodbUrl, fill) {
  const connection = await connectMongo(mongodbUrl, { monitorCommands: true });
  const { jwksUri, token } = await startKeys();
  const config = loadConfig({
    MONGODB_URL: mongodbUrl,
    AMQP_URL: 'amqp://none',
    BASE_URL: 'http://localhost:4000',
    AUTH_JWKS_URL: jwksUri,
  });
  const app = createApp({ config, connection, broker, logger: createLogger('graph', 'silent'), now: () => new Date() });
  await app.start();
  await fill(connection);
  const { port } = await listen(app, 0, '127.0.0.1');
  return { connection, url: `http://127.0.0.1:${port}/graphql`, token };
}
