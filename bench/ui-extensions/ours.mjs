// The service as deployed, with one extension of few versions and one of many.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { answer } from '../measure.mjs';

const load = createRequire(import.meta.url);
const { createApp } = load('../../services/ui-extensions/dist/app.js');
const { loadConfig } = load('../../services/ui-extensions/dist/config.js');
const { listen } = load('../../shared/dist/running/listen.js');
const { callerAudienceOf, callerTokenIssuer, callerTokenType } = load('../../shared/dist/api/identity/caller-token.js');
const { createLogger } = load('../../shared/dist/observing/logs/logger.js');
const { connectMongo } = load('../../shared/dist/stores/mongo/connect-mongo.js');

const accountId = 'bench';
const broker = { publish: async () => {}, subscribe: async () => {}, close: async () => {} };
const hour = 3_600_000;
let service;

/** The caller keys over HTTP, and an administrator's token. */
async function startCaller() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' }] });
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'application/json').end(keys));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const claims = { name: 'Ada', home: accountId, kind: 'personal', application: null, locale: 'en', time_zone: 'UTC' };
  const may = { accounts: { [accountId]: ['account_administrator'] }, scopes: [{ effect: 'allow', actions: ['*:*'] }] };
  const token = await new SignJWT({ ...claims, ...may })
    .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: callerTokenType })
    .setIssuer(callerTokenIssuer)
    .setAudience(callerAudienceOf('ui-extensions'))
    .setSubject('1')
    .setExpirationTime('2h')
    .sign(privateKey);
  return { jwksUri: `http://127.0.0.1:${server.address().port}/jwks`, token };
}

async function start({ mongodbUrl }) {
  const { jwksUri, token } = await startCaller();
  const connection = await connectMongo(mongodbUrl);
  const addresses = { AMQP_URL: 'amqp://in-process', AUTH_JWKS_URL: jwksUri, BASE_URL: 'http://localhost:4000' };
  const config = loadConfig({ MONGODB_URL: mongodbUrl, ...addresses });
  const logger = createLogger('ui-extensions', 'silent');
  const app = createApp({ config, connection, broker, logger, now: () => new Date() });
  await app.start();
  const { port } = await listen(app, 0, '127.0.0.1');
  service = { app, connection };
  return { token, origin: `http://127.0.0.1:${port}`, accountId };
}

/**
 * An extension with `versions` versions of some kilobytes; the archived ones are copies of one that the service
 * archived.
 */
async function extension({ versions }) {
  const { app, connection } = service;
  const text = '<p>A line of a version</p>\n'.repeat(100);
  const texts = { html: text, css: '.a { color: red; }', javascript: '' };
  const { id } = await app.seed.ensureExtension(accountId, {
    source: 'bench',
    sourceID: String(versions),
    name: 'Bench',
    title: 'Bench',
    category: 'bench',
    ...texts,
    activations: [texts, texts, texts],
  });
  const archive = connection.collection('archived_versions');
  const archived = await archive.findOne({ extensionId: id }, { projection: { _id: 0 } });
  const extensions = connection.collection('extensions');
  // Versions inside the extension keep the last numbers.
  const within = 3;
  const stored = versions - within;
  const first = id * 1_000_000;
  const began = Date.parse('2026-01-01T00:00:00Z');
  await archive.deleteMany({ extensionId: id });
  for (let done = 0; done < stored; done += 1_000) {
    const some = Array.from({ length: Math.min(1_000, stored - done) }, (_, index) => {
      const number = done + index + 1;
      // Update times are not in creation order, so this sort differs from that by id.
      const updatedAt = new Date(began + ((number * 7_919) % stored) * hour);
      return {
        ...archived,
        _id: first + number,
        versionNr: number,
        createdAt: new Date(began + number * hour),
        updatedAt,
      };
    });
    await archive.insertMany(some);
  }
  const set = {};
  for (const [index, place] of ['retired', 'active', 'prepared'].entries())
    Object.assign(set, {
      [`${place}.id`]: first + stored + index + 1,
      [`${place}.versionNr`]: stored + index + 1,
    });
  await extensions.updateOne({ _id: id }, { $set: set });
  return { id, stored: await archive.countDocuments({ extensionId: id }) };
}

const properties = {
  id: '_id',
  version_nr: 'versionNr',
  status: 'status',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
};

/** The index by which the store finds a page of the archive, for each sort in both directions. */
async function plans({ id }) {
  const archive = service.connection.collection('archived_versions');
  const found = [];
  for (const [field, property] of Object.entries(properties))
    for (const direction of [1, -1]) {
      // The service's order: the tie-breaker has the same direction.
      const sort = { [property]: direction, _id: direction };
      const where = { accountId, extensionId: id, _id: { $nin: [1, 2, 3] } };
      const { queryPlanner, executionStats } = await archive.find(where).sort(sort).limit(21).explain('executionStats');
      const index = /"indexName":"([^"]+)"/.exec(JSON.stringify(queryPlanner.winningPlan))?.[1] ?? 'none';
      found.push({ field: direction === 1 ? field : `-${field}`, index, keys: executionStats.totalKeysExamined });
    }
  return found;
}

answer({ start, extension, plans });
