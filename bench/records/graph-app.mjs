// The graph service in this process, and a caller of its API.
import { accountId, checkout, loadCompiled, startKeys } from '../checkout.mjs';

const { createApp } = loadCompiled('services/graph/dist/app.js');
const { loadConfig } = loadCompiled('services/graph/dist/config.js');
const { listen } = loadCompiled('shared/dist/running/listen.js');
const { createLogger } = loadCompiled('shared/dist/observing/logs/logger.js');
const { connectMongo } = loadCompiled('shared/dist/stores/mongo/connect-mongo.js');

export { accountId, checkout, loadCompiled };
const broker = { publish: async () => {}, subscribe: async () => {}, close: async () => {} };

/** `fill(connection)` stores what the service finds at its first call; its indexes exist then. */
export async function startApp(mongodbUrl, fill) {
  const connection = await connectMongo(mongodbUrl, { monitorCommands: true });
  const { jwksUri, token } = await startKeys('graph', 'specialist');
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
