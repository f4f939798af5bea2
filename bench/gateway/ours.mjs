// The gateway as deployed, with authentication and all limits; only its log is off.
import { createRequire } from 'node:module';
import { answer } from '../measure.mjs';

const load = createRequire(import.meta.url);
const { createApp } = load('../../gateway/dist/app.js');
const { loadConfig } = load('../../gateway/dist/config.js');
const { listen } = load('../../shared/dist/running/listen.js');
const { createMemoryCoordination } = load('../../shared/dist/stores/coordination/memory-coordination.js');
const { createLogger } = load('../../shared/dist/observing/logs/logger.js');
const { createOpaqueToken } = load('../../shared/dist/base/ids/opaque-token.js');

const { createDocuments } = load('../../gateway/dist/supergraph/documents.js');
const { costWindowOf, requestWindowsOf } = load('../../gateway/dist/callers/windows.js');
const { buildSchema } = load('graphql');

const now = () => new Date();
const schema = buildSchema('type Query { me: Person } type Person { id: ID! name: String! }');

async function start({ services, executor }) {
  const config = loadConfig({
    BASE_URL: 'http://localhost:4000',
    ACCOUNT_URL: 'http://localhost:4000/accounts/{account}',
    AUTH_URL: services.auth,
    GRAPH_URL: services.graph,
    WEBHOOKS_URL: services.webhooks,
    WEBHOOK_DELIVERY_URL: services['webhook-delivery'],
    UI_EXTENSIONS_URL: services['ui-extensions'],
    INTROSPECTION_SECRET: 's'.repeat(32),
    EXECUTOR: executor,
  });
  const logger = createLogger('gateway', 'silent');
  const app = createApp({
    config,
    coordination: createMemoryCoordination({ now }),
    sharedRevisions: true,
    logger,
    now,
  });
  await app.start();
  await app.ready();
  const { port } = await listen(app, 0, '127.0.0.1');
  return {
    port,
    path: '/graphql',
    tokens: Array.from({ length: 2_000 }, () => createOpaqueToken('at')),
  };
}

/** Microseconds of CPU that all limits add to one call, for 2,000 callers with 10 calls each. */
async function limits({ query }) {
  const { formula } = createDocuments(schema)(query, undefined);
  const rounds = 20;
  const calls = 20_000;
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const coordination = createMemoryCoordination({ now });
    for (let turn = 0; turn < calls; turn += 1) {
      const key = `person:${turn % 2_000}`;
      formula({});
      await coordination.take([...requestWindowsOf(key, 1), costWindowOf(key, 0)], []);
      await coordination.take([costWindowOf(key, 1)], []);
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / rounds / calls;
}

answer({ start, limits });
