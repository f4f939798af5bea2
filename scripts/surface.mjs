// npm run --silent surface > before.txt: prints what clients and operators see of the platform, one fact per line,
// sorted: the GraphQL schema, REST routes with their requirements, the members of answers, messages and queues,
// collections and indexes. Run it before and after a change that must not affect any of it, and compare by `diff`.
// `-- --deep` also writes and reads: what is answered to each wrong value of each input, what reads answer, and what is stored;
// `--deep=team` sends wrong values to the inputs of one type alone.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from './engine.mjs';
import { prepare, root, say } from './prepare.mjs';
import { deepFacts } from './surface/deep.mjs';

await prepare();
const load = createRequire(join(root, 'shared/package.json'));
const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
const filesIn = (folder) =>
  readdirSync(join(root, folder, 'dist'), { recursive: true })
    .map((file) => join(root, folder, 'dist', String(file)))
    .filter((file) => file.endsWith('.js'))
    .sort();

const routers = watchRouters();
const { allowedAction } = load('@itsm/shared/api/identity/allow');
const { openDataDirectory } = load(join(root, 'embedded/dist/data/data-directory.js'));
const { startPlatform } = load(join(root, 'embedded/dist/platform.js'));
const { startEmbeddedMongo } = load(join(root, 'packages/embedded-mongo/dist/server.js'));

const folder = mkdtempSync(join(tmpdir(), 'itsm-surface-'));
const mongo = await startEmbeddedMongo();
const data = openDataDirectory(folder);
const settings = { ALLOW_PLAIN_HTTP: 'true' };
const mongodbUrl = mongo.urlOf('surface');
const [port] = await freePorts(1);
const clock = { begun: Date.now(), passed: 0 };
const clockOf = () => () => new Date(clock.begun + clock.passed);
const deepOption = process.argv.find((one) => /^--deep(=|$)/.test(one));
const isDeep = deepOption !== undefined;
const platform = await startPlatform({
  port,
  data,
  mongodbUrl,
  logLevel: 'error',
  settings,
  progress: () => {},
  ...(isDeep && { clockOf }),
});
const routes = routesOf(routers);
const answers = [...resources(), ...(await answersOf(routes))];
const sdl = await schema();
const lines = [sdl, ...routes.map(({ line }) => line), ...answers, ...messages(), ...(await stores())];
if (isDeep) lines.push(...(await deep()));
await platform.close();
await mongo.close();
rmSync(folder, { recursive: true });
const text = `${lines.join('\n')}\n`;
await new Promise((written) => process.stdout.write(text, written));
say(`${text.split('\n').length - 1} lines, sha256 ${createHash('sha256').update(text).digest('hex')}`);
process.exit();

/** Records each router's owner and mount paths; Express itself only keeps path matchers. */
function watchRouters() {
  const Router = createRequire(load.resolve('express'))('router');
  const seen = new Map();
  for (const method of ['use', 'route']) {
    const original = Router.prototype[method];
    Router.prototype[method] = function (...args) {
      const { stack } = new Error();
      if (!seen.has(this)) seen.set(this, /(?:services\/|gateway|console)[\w-]*(?=\/dist\/)/.exec(stack)?.[0] ?? '');
      const before = this.stack.length;
      const result = original.apply(this, args);
      for (const layer of this.stack.slice(before)) layer.mountedAt = method === 'use' ? pathIn(args[0]) : '';
      return result;
    };
  }
  return seen;
}

function pathIn(first) {
  return typeof first === 'string' && first !== '/' ? first : '';
}

function routesOf(seen) {
  const inner = new Set([...seen.keys()].flatMap(({ stack }) => stack.map(({ handle }) => handle.router ?? handle)));
  const below = (router, prefix) =>
    router.stack.flatMap((layer) => {
      const { route, handle, mountedAt = '' } = layer;
      if (!route) return handle.stack ? below(handle, prefix + mountedAt) : [];
      return [route.path].flat().flatMap((path) =>
        route.stack.map(({ method = 'all', handle: handler }) => ({
          method: method.toUpperCase(),
          path: `${prefix}${path}`.replace(/(?<=.)\/$/, ''),
          needs: allowedAction(handler),
        })),
      );
    });
  const all = [...seen].flatMap(([router, owner]) =>
    inner.has(router) ? [] : below(router, '').map((route) => ({ ...route, owner })),
  );
  const byLine = new Map();
  for (const route of all) {
    const { owner, method, path } = route;
    const needs = route.needs ?? byLine.get(`${owner} ${method} ${path}`)?.needs;
    byLine.set(`${owner} ${method} ${path}`, {
      ...route,
      line: `route ${owner} ${method} ${path} ${needs ?? ''}`.trim(),
    });
  }
  // Handlers that answer 405 are no routes.
  for (const { owner, method, path } of all) if (method !== 'ALL') byLine.delete(`${owner} ALL ${path}`);
  return [...byLine.values()].sort((one, other) => (one.line < other.line ? -1 : 1));
}

/** The declared fields of answers that can be filtered and sorted. */
function resources() {
  const { recordTypes } = load(join(root, 'services/graph/dist/record-types/all.js'));
  const { createRecordResource } = load(join(root, 'services/graph/dist/api/record.resource.js'));
  const ofRecords = recordTypes.map((type) => [type.plural, createRecordResource(type)]);
  const declared = services
    .flatMap(filesIn)
    .filter((file) => /\.(resource|routes|http)\.js$/.test(file))
    .flatMap((file) => Object.entries(load(file)).map(([name, value]) => [`${file.split('/').at(-4)} ${name}`, value]))
    .filter(([, value]) => value?.fields && value.sortable);
  return [...ofRecords, ...declared].map(([name, { fields, ...more }]) => {
    const members = { fields: Object.keys(fields).sort(), ...more };
    return `resource ${name} ${JSON.stringify(members)}`;
  });
}

/** The members of an administrator's answers for paths without parameters; values are ignored. */
async function answersOf(all) {
  const demo = JSON.parse(readFileSync(data.demoFile, 'utf8'));
  const token = demo.accounts.wdc.administrator.personal_access_token;
  const headers = { authorization: `Bearer ${token}`, 'x-service-account': 'wdc' };
  const open = [...new Set(all.filter(({ method }) => method === 'GET').map(({ path }) => path))];
  const found = [];
  for (const path of open.filter((one) => one.startsWith('/v1/') && !/[:*{]/.test(one)).sort()) {
    const answer = await ask(`${platform.baseUrl}${path}`, { headers });
    const isJson = answer.headers.get('content-type')?.includes('json');
    found.push(`answer ${path} ${answer.status} ${isJson ? [...membersOf(await answer.json())].sort() : ''}`.trim());
  }
  return found;
}

async function deep() {
  const demo = JSON.parse(readFileSync(data.demoFile, 'utf8'));
  const token = demo.accounts.wdc.administrator.personal_access_token;
  const headers = { authorization: `Bearer ${token}`, 'x-service-account': 'wdc', 'content-type': 'application/json' };
  const { buildSchema } = load('graphql');
  const { MongoClient } = load('mongodb');
  const client = await MongoClient.connect(mongo.url);
  const reads = routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/'));
  const facts = await deepFacts({
    schema: buildSchema(sdl),
    only: deepOption.split('=')[1],
    readPaths: [...new Set(reads.map(({ path }) => path))].filter((path) => !/[:*{]/.test(path)).sort(),
    async call(path, { method, body } = {}) {
      const answer = await ask(`${platform.baseUrl}${path}`, { method, headers, body: body && JSON.stringify(body) });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json');
      return { status: answer.status, body: isJson && text !== '' ? JSON.parse(text) : text };
    },
    async *documents() {
      const { databases } = await client.db('admin').admin().listDatabases();
      for (const { name: database } of databases)
        for (const { name: collection } of await client.db(database).listCollections().toArray())
          for await (const document of client.db(database).collection(collection).find())
            yield { database, collection, document };
    },
  });
  await client.close();
  return facts;
}

/** Waits for the rate limit: these are more calls than one person may make at once. */
async function ask(url, options) {
  const answer = await fetch(url, options);
  if (answer.status !== 429) return answer;
  const milliseconds = 1_000 * Number(answer.headers.get('retry-after'));
  if (isDeep) clock.passed += milliseconds;
  else await pause(milliseconds);
  return ask(url, options);
}

function membersOf(value, path = '', members = new Set()) {
  if (Array.isArray(value)) for (const one of value) membersOf(one, `${path}[]`, members);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) membersOf(one, `${path}.${name}`, members.add(`${path}.${name}`));
  return members;
}

async function schema() {
  const { buildClientSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } = load('graphql');
  const demo = JSON.parse(readFileSync(data.demoFile, 'utf8'));
  const answer = await ask(`${platform.baseUrl}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo.accounts.wdc.administrator.personal_access_token}`,
      'x-service-account': 'wdc',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  return printSchema(lexicographicSortSchema(buildClientSchema((await answer.json()).data)));
}

function messages() {
  const { z } = load('zod');
  const { allQueues } = load('@itsm/shared/contracts/topology');
  const contracts = new Map(allQueues.flatMap((queue) => queue.contracts.map((contract) => [contract.name, contract])));
  return [
    ...allQueues.map(({ name, contracts: taken }) => `queue ${name} ${taken.map((one) => one.name).sort()}`),
    ...[...contracts.values()].map(
      (one) =>
        `message ${one.name} ${JSON.stringify(z.toJSONSchema(one.schema, { io: 'input', unrepresentable: 'any' }))}`,
    ),
  ].sort();
}

/** The collections of each service, including empty ones. */
async function stores() {
  const { MongoClient } = load('mongodb');
  const client = await MongoClient.connect(mongo.url);
  const { databases } = await client.db('admin').admin().listDatabases();
  const found = [];
  for (const { name } of databases)
    for (const collection of await client.db(name).listCollections().toArray()) {
      const indexes = await client.db(name).collection(collection.name).indexes();
      for (const index of indexes)
        found.push(`index ${name} ${collection.name} ${JSON.stringify({ ...index, v: undefined })}`);
    }
  await client.close();
  return found.sort();
}
