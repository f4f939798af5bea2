// The graph service of a checkout, which creates requests one by one and in bulk.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { answer } from '../measure.mjs';
import { accountId, checkout, loadCompiled, startApp } from '../records/graph-app.mjs';

const { request } = loadCompiled('services/graph/dist/record-types/request.js');
const { createRecordRepository } = loadCompiled('services/graph/dist/store/record.repository.js');
const { created, newRecord } = loadCompiled('services/graph/dist/write/record.service.js');
const countsFile = 'services/graph/dist/store/record-counts.repository.js';
const { createRecordCounts } = existsSync(join(checkout, countsFile)) ? loadCompiled(countsFile) : {};

const [statuses, categories, levels] = ['status', 'category', 'impact'].map(
  (name) => request.fields.find((field) => field.name === name).choices,
);
let connection;
let inserted = 1_000_000;

async function start({ mongodbUrl }) {
  const app = await startApp(mongodbUrl, () => {});
  connection = app.connection;
  return { url: app.url, token: app.token };
}

function recordOf(id) {
  const moment = { personId: 1 + (id % 5_000), accountId, now: new Date() };
  const given = {
    subject: `Printer ${id} on floor ${id % 40}`,
    category: categories[id % 9],
    impact: levels[id % 4],
    priority: levels[id % 3],
    status: statuses[id % 10],
    team: 1 + (id % 200),
    member: 1 + (id % 500),
    source: 'bench',
    sourceID: String(id),
  };
  return newRecord(id, created(request, given, moment), moment);
}

/** Inserts as an import does, until they are in the counts. */
async function insert({ count }) {
  const records = Array.from({ length: count }, () => recordOf((inserted += 1)));
  const repository = createRecordRepository(connection, request);
  for (let n = 0; n < count; n += 500) await repository.insertMany(records.slice(n, n + 500));
  const counts = createRecordCounts?.(connection, request);
  while (await counts?.fold(accountId, new Date(Date.now() + 3_600_000))) continue;
  return {};
}

answer({ start, insert });
