// The graph service as deployed, with as many requests as wanted.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { answer } from '../measure.mjs';

const load = createRequire(import.meta.url);
const jwt = createRequire(load.resolve('../../shared/package.json'))('jsonwebtoken');
const { createApp } = load('../../services/graph/dist/app.js');
const { loadConfig } = load('../../services/graph/dist/config.js');
const { request } = load('../../services/graph/dist/record-types/request.js');
const { toDocument } = load('../../services/graph/dist/store/record.document.js');
const { created, newRecord } = load('../../services/graph/dist/write/record.service.js');
const { listen } = load('../../shared/dist/running/listen.js');
const identity = load('../../shared/dist/api/identity/caller-token.js');
const { createLogger } = load('../../shared/dist/observing/logs/logger.js');
const { connectMongo } = load('../../shared/dist/stores/mongo/connect-mongo.js');

const accountId = 'bench';
const broker = { publish: async () => {}, subscribe: async () => {}, close: async () => {} };
const statuses = ['on_backlog', 'assigned', 'accepted', 'in_progress', 'waiting_for', 'completed'];
let connection;
let heard;

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
    audience: identity.callerTokenAudience,
    issuer: identity.callerTokenIssuer,
    header: { alg: 'ES256', typ: identity.callerTokenType },
  });
  return { jwksUri: `http://127.0.0.1:${server.address().port}/jwks`, token };
}

/** Request number `id`, generated from its number. */
function requestOf(id) {
  const now = new Date(Date.UTC(2020, 0, 1) + id * 60_000 + ((id * 7919) % 1000) * 3_600_000);
  const moment = { personId: 1 + (id % 5_000), accountId, now };
  const given = {
    subject: `Printer ${id} on floor ${id % 40}, ${id % 2 === 0 ? 'left' : 'right'} wing`,
    status: statuses[id % statuses.length],
    team: 1 + (id % 200),
    member: 1 + (id % 500),
    source: 'bench',
    sourceID: String(id),
  };
  return toDocument(request, newRecord(id, created(request, given, moment), moment));
}

async function start({ mongodbUrl, records }) {
  connection = await connectMongo(mongodbUrl, { monitorCommands: true });
  const { jwksUri, token } = await startKeys();
  const config = loadConfig({
    MONGODB_URL: mongodbUrl,
    AMQP_URL: 'amqp://none',
    BASE_URL: 'http://localhost:4000',
    AUTH_JWKS_URL: jwksUri,
  });
  const app = createApp({ config, connection, broker, logger: createLogger('graph', 'silent'), now: () => new Date() });
  await app.start();
  for (let first = 1; first <= records; first += 5_000) {
    const count = Math.min(5_000, records - first + 1);
    const documents = Array.from({ length: count }, (_, n) => requestOf(first + n));
    await connection.collection('requests').insertMany(documents, { ordered: false });
  }
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find' || commandName === 'aggregate') heard?.push(command);
  });
  const { port } = await listen(app, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}/graphql`, token };
}

/** The index that each query of the store has used since `hear`. */
async function indexes() {
  const commands = heard;
  heard = undefined;
  const names = [];
  for (const { find, filter, sort, limit, hint } of commands.filter((command) => command.find)) {
    const query = { find, filter, ...(sort && { sort }), ...(limit && { limit }), ...(hint && { hint }) };
    const plan = await connection.db.command({ explain: query, verbosity: 'queryPlanner' });
    names.push(nameIn(plan.queryPlanner.winningPlan));
  }
  return { queries: commands.length, names };
}

const nameIn = ({ stage, indexName, inputStage, inputStages: [first] = [inputStage] }) =>
  indexName ?? (first ? `${stage === 'SORT' ? 'sorted ' : ''}${nameIn(first)}` : stage);

const growth = (before) => Math.round((process.memoryUsage().rss - before) / 2 ** 20);

/** Uploads a file whose line 70,001 is malformed, and waits until the import is finished. */
async function importFile({ origin, token, rows }) {
  const lines = Array.from({ length: rows }, (_, n) => `Printer ${n + 2} is on fire,incident,bench,${n + 2}`);
  if (rows >= 70_000) lines[69_999] = 'Printer,"incident"x,bench,70001';
  const form = new globalThis.FormData();
  form.set('type', 'request');
  form.set('file', new globalThis.Blob([['subject,category,source,sourceID', ...lines].join('\n')]), 'records.csv');
  lines.length = 0;
  const headers = { Authorization: `Bearer ${token}`, 'X-Service-Account': accountId };
  const [before, started, cpu] = [process.memoryUsage().rss, performance.now(), process.cpuUsage()];
  const sent = await fetch(`${origin}/v1/import`, { method: 'POST', headers, body: form });
  const { token: name } = await sent.json();
  let shown;
  do {
    await new Promise((resolve) => setTimeout(resolve, 100));
    shown = await (await fetch(`${origin}/v1/import/${name}`, { headers })).json();
  } while (shown.state === 'queued' || shown.state === 'processing');
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: (user + system) / 1e6,
    results: shown.results,
    rss: growth(before),
  };
}

answer({
  start,
  import: importFile,
  hear: () => {
    heard = [];
    return {};
  },
  indexes,
});
