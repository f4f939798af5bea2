import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../scripts/engine.mjs';

const load = createRequire(import.meta.url);
const { openDataDirectory } = load('../../embedded/dist/data/data-directory.js');
const { startPlatform } = load('../../embedded/dist/platform.js');
const { compose } = load('../../gateway/dist/supergraph/supergraph-source.js');
const { createDocuments } = load('../../gateway/dist/supergraph/documents.js');
const { compilePlan } = load('../../gateway/dist/execution/compile-plan.js');
const { createPlanner } = load('../../gateway/dist/execution/query-planner.js');
const { createResponseKeys } = load('../../gateway/dist/execution/response-keys.js');
const { checkDocument } = load('../../shared/dist/pricing/check-document.js');
const { parse, print } = load('graphql');

const rounds = 24;
const show = (text) => process.stdout.write(`${text}\n`);
const times = (count, item) => Array.from({ length: count }, (_none, n) => item(n)).join(' ');
const types = 'id ... on Request { subject team { name } } ... on Problem { subject } ... on Task { member { name } }';

/** Each is another text in each round. */
const documents = {
  '5 fields': (round) => `{ x${round}: me { name } requests(first: 5) { nodes { id subject } } }`,
  '20 fields': (round) =>
    `{ x${round}: me { name } requests(first: 5) { nodes { id subject status impact category createdAt updatedAt requestedBy { name } requestedFor { name } team { name } member { name } } } }`,
  '90 times `me`': (round) => `{ ${times(90, (n) => `x${round}a${n}: me { name }`)} }`,
  '90 lists of requests with their person': (round) =>
    `{ ${times(90, (n) => `x${round}a${n}: requests(first: 1) { nodes { id subject requestedBy { name } } }`)} }`,
  '40 nodes of three types': (round) => `{ ${times(40, (n) => `x${round}a${n}: node(id: "a") { ${types} }`)} }`,
  '400 filters': (round) =>
    `{ ${times(400, (n) => `x${round}a${n}: requests(first: 1, filter: { subject: { values: ["${n}"] } }) { totalCount }`)} }`,
};

/** npm run bench -- new-documents: processor time of each part of the work for a document not seen before. */
export async function run() {
  const supergraphSdl = await composeAll();
  const planner = createPlanner(supergraphSdl);
  const prepare = createDocuments(planner.schema);
  const { planned } = createResponseKeys(planner.fullSchema);
  const names = ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions', 'gateway'];
  const environment = { subgraphs: new Map(names.map((name) => [name, () => {}])), fits: () => true };
  show(`Milliseconds of processor time, lower quartile of ${rounds} documents`);
  show('| document | check | plan | what is left to the serving thread |');
  show('|---|---:|---:|---:|');
  for (const [name, document] of Object.entries(documents)) {
    const parts = { check: [], plan: [], left: [] };
    for (let round = 0; round < rounds; round += 1) {
      const query = document(round);
      const [, check] = timed(() => checkDocument(planner.schema, query, undefined));
      const [text, before] = timed(() => print(planned(prepare(query, undefined, []).document)));
      const [plan, planning] = timed(() => JSON.stringify(planner.plan(parse(text, { noLocation: true }), undefined)));
      const [, after] = timed(() => compilePlan(JSON.parse(plan), environment));
      parts.check.push(check);
      parts.plan.push(planning);
      parts.left.push(before + after);
    }
    show(`| ${name} | ${Object.values(parts).map(quartileOf).join(' | ')} |`);
  }
}

/** The supergraph of all services. */
async function composeAll() {
  const folder = mkdtempSync(join(tmpdir(), 'itsm-bench-new-documents-'));
  const data = openDataDirectory(folder);
  const [port] = await freePorts(1);
  const settings = { ALLOW_PLAIN_HTTP: 'true' };
  const platform = await startPlatform({ port, data, logLevel: 'error', settings, progress() {} });
  const sdls = new Map();
  for (const [name, url] of Object.entries(platform.gateway.services)) {
    const answer = await fetch(`${url}/graphql`, { headers: { accept: 'text/plain' } });
    if (answer.status === 200) sdls.set(name, await answer.text());
  }
  await platform.close();
  rmSync(folder, { recursive: true });
  return compose(sdls);
}

function timed(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1_000];
}

const quartileOf = (values) => [...values].sort((a, b) => a - b)[values.length >> 2].toFixed(1);
