import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { buildClientSchema, parse, validate } from 'graphql';
import type { GraphQLFormattedError, GraphQLSchema, IntrospectionQuery } from 'graphql';
import { createApp as createGateway } from '@itsm/gateway/app';
import type { Closable } from '@itsm/shared/running/app';
import { listen } from '@itsm/shared/running/listen';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { openDataDirectory } from './data/data-directory';
import { startPlatform } from './platform';
import type { Platform } from './platform';
import { generateQuery } from './testing/generate-query';

const folder = mkdtempSync(join(tmpdir(), 'itsm-executors-'));
const opened: Closable[] = [];
let token: string;
let ask: Record<'compiled' | 'apollo', (query: string) => Promise<string>>;
let schema: GraphQLSchema;
let ids: readonly string[];

const headers = () => ({
  authorization: `Bearer ${token}`,
  'x-service-account': 'wdc',
  'content-type': 'application/json',
});

/** A gateway of its own before the services of the platform; every call comes in an hour of its own, so that no window is used up. */
async function startGateway({ gateway: config }: Platform, chosen: 'compiled' | 'apollo') {
  let hours = 0;
  const now = () => new Date(Date.now() + hours * 3_600_000);
  const app = createGateway({
    config: { ...config, executors: { chosen, shadowRatio: 0 } },
    coordination: createMemoryCoordination({ now }),
    sharedRevisions: false,
    logger: silentLogger,
    now,
  });
  await app.start();
  opened.push({ close: () => app.stop() });
  await app.ready();
  const listening = await listen(app.http, 0, '127.0.0.1');
  opened.push(listening);
  const url = `http://127.0.0.1:${listening.port}/graphql`;
  return {
    url,
    ask: async (query: string) => {
      hours += 1;
      return (await fetch(url, { method: 'POST', headers: headers(), body: JSON.stringify({ query }) })).text();
    },
  };
}

beforeAll(async () => {
  const data = openDataDirectory(folder);
  const settings = { ALLOW_PLAIN_HTTP: 'true' };
  const platform = await startPlatform({ port: 0, data, logLevel: 'error', settings, progress: () => {} });
  opened.push(platform);
  const demo = JSON.parse(readFileSync(data.demoFile, 'utf8')) as {
    accounts: { wdc: { administrator: { personal_access_token: string } } };
  };
  token = demo.accounts.wdc.administrator.personal_access_token;
  const compiled = await startGateway(platform, 'compiled');
  const apollo = await startGateway(platform, 'apollo');
  ask = { compiled: compiled.ask, apollo: apollo.ask };
  const response = await fetch(compiled.url, { headers: { ...headers(), accept: 'application/json' } });
  schema = buildClientSchema(((await response.json()) as { data: IntrospectionQuery }).data);
  const some = await compiled.ask('{ requests(first: 2) { nodes { id } } teams(first: 1) { nodes { id } } me { id } }');
  ids = [...some.matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id);
}, 120_000);
afterAll(async () => {
  for (const one of opened.reverse()) await one.close();
  rmSync(folder, { recursive: true });
});

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** The text of the data, which has the order of the fields; errors in no order. */
const answered = (text: string) => {
  const { data, errors = [] } = JSON.parse(text) as Body;
  return { data: JSON.stringify(data), errors: errors.map((error) => JSON.stringify(error)).sort() };
};

const decisions = fc.array(fc.nat(999), { minLength: 1, maxLength: 200, size: 'max' });
const queryOf = (taken: readonly number[]): string => {
  let next = 0;
  return generateQuery(schema, ids, (choices) => (taken[next++] ?? 0) % choices);
};

test('generated queries over all services are answered alike by both executors', async () => {
  expect(ids.length).toBeGreaterThan(2);
  let executed = 0;
  await fc.assert(
    fc.asyncProperty(decisions, async (taken) => {
      const query = queryOf(taken);
      fc.pre(validate(schema, parse(query)).length === 0);
      const compiled = answered(await ask.compiled(query));
      expect({ query, ...answered(await ask.apollo(query)) }).toEqual({ query, ...compiled });
      if (compiled.data !== undefined) executed += 1;
    }),
    { numRuns: Number(process.env['RUNS'] ?? 60), ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }) },
  );
  expect(executed).toBeGreaterThan(40);
}, 600_000);
