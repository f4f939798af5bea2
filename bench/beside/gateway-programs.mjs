// Starts the compared gateways, all without tracing, metrics, usage reports and access logs.
import { execFileSync } from 'node:child_process';
import { freePorts } from '../../scripts/engine.mjs';
import { typeDefs } from '../gateway/graph.mjs';
import { nodeOptionsOf } from '../platform.mjs';
import { createPrograms, peerOf, startRedis, untilHttp } from './programs.mjs';

const folder = new URL('../../gateway/', import.meta.url).pathname;

/** As deployed: authentication, all limits, its container's heap; rate limit windows in Redis, or in memory. */
export async function startOurs({ addresses }, { redis: hasRedis, processes = 1 }) {
  const programs = createPrograms('gateway');
  const redis = hasRedis ? await startRedis(programs) : undefined;
  const [port] = await freePorts(1);
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: `${port}`,
    OPS_PORT: '0',
    LOG_LEVEL: 'error',
    BASE_URL: 'http://localhost:4000',
    ACCOUNT_URL: 'http://localhost:4000/accounts/{account}',
    AUTH_URL: addresses.auth,
    GRAPH_URL: addresses.graph,
    WEBHOOKS_URL: addresses.webhooks,
    WEBHOOK_DELIVERY_URL: addresses['webhook-delivery'],
    UI_EXTENSIONS_URL: addresses['ui-extensions'],
    INTROSPECTION_SECRET: 's'.repeat(32),
  };
  if (redis) Object.assign(env, { REDIS_URL: redis.url, GATEWAY_PROCESSES: `${processes}` });
  const args = [...nodeOptionsOf('gateway').split(' '), 'dist/main.js'];
  const child = programs.keep('gateway', process.execPath, args, { cwd: folder, env });
  await untilHttp(child, port);
  const parts = { gateway: child.pid };
  if (redis) parts.redis = redis.pid;
  const kind = redis ? (processes === 1 ? '' : `, ${processes} processes`) : ', limits in memory';
  return { name: `ours${kind}`, url: `http://127.0.0.1:${port}/graphql`, takesTokens: true, parts, programs };
}

/** `COSMO_ROUTER` is the router, `WGC` the command that composes its configuration. */
export async function startCosmo({ addresses }) {
  const [router, compose] = [peerOf('COSMO_ROUTER'), peerOf('WGC')];
  if (!router || !compose) return undefined;
  const programs = createPrograms('cosmo');
  const [port] = await freePorts(1);
  const subgraphs = Object.entries(addresses).map(([name, url]) => {
    const file = programs.file(`${name}.graphql`, typeDefs[name]);
    return `  - name: ${name}\n    routing_url: ${url}/graphql\n    schema:\n      file: ${file}\n`;
  });
  const input = programs.file('graph.yaml', `version: 1\nsubgraphs:\n${subgraphs.join('')}`);
  const output = `${programs.directory}/execution.json`;
  execFileSync(compose, ['router', 'compose', '-i', input, '-o', output], { stdio: ['ignore', 'ignore', 'inherit'] });
  const config = programs.file(
    'cosmo.yaml',
    `version: "1"
listen_addr: 127.0.0.1:${port}
log_level: error
playground: { enabled: false }
execution_config: { file: { path: ${output} } }
telemetry: { tracing: { enabled: false }, metrics: { otlp: { enabled: false, router_runtime: false }, prometheus: { enabled: false } } }
graphql_metrics: { enabled: false }
access_logs: { enabled: false }
engine: { enable_single_flight: false, enable_inbound_request_deduplication: false }
`,
  );
  const env = { ...process.env, CONFIG_PATH: config, DISABLE_USAGE_TRACKING: 'true', DO_NOT_TRACK: '1' };
  const child = programs.keep('cosmo', router, ['-config', config], { env });
  await untilHttp(child, port);
  return { name: 'Cosmo Router', url: `http://127.0.0.1:${port}/graphql`, parts: { router: child.pid }, programs };
}

/** `HIVE_ROUTER` is the router. */
export async function startHive({ supergraph }) {
  const router = peerOf('HIVE_ROUTER');
  if (!router) return undefined;
  const programs = createPrograms('hive-router');
  const [port] = await freePorts(1);
  const config = programs.file(
    'router.yaml',
    `supergraph: { source: file, path: ${supergraph} }
log: { level: error }
http: { host: 127.0.0.1, port: ${port} }
traffic_shaping: { all: { dedupe_enabled: false }, router: { dedupe: { enabled: false } } }
`,
  );
  const env = { ...process.env, ROUTER_CONFIG_FILE_PATH: config };
  const child = programs.keep('router', router, [config], { env });
  await untilHttp(child, port);
  return { name: 'Hive Router', url: `http://127.0.0.1:${port}/graphql`, parts: { router: child.pid }, programs };
}
