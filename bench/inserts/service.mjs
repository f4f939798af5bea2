// The graph service of a checkout, which creates requests one by one and in bulk.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { answer } from '../measure.mjs';
import { accountId, checkout, loadCompiled, startApp } from '../records/graph-app.mjs';

const { request } = loadCompiled('services/graph/dist/record-types/request.js');
const { createRecordRepository } = loadCompiled('services/graph/dist/store/record.repository.js');
const { created, newRecord } = loadCompiled('services/graph/dist/write/made-record.js');
const loadIfThere = (file) => (existsSync(join(checkout, file)) ? loadCompiled(file) : {});
const { createRecordCounts } = loadIfThere('services/graph/dist/store/record-counts.repository.js');
const { createCountKeeper } = loadIfThere('services/graph/dist/store/count-keeper.js');

const [statuses, categories, levels] = ['status', 'category', 'impact'].map(
  (name) => request.fields.find((field) => field.name === name).choices,
);
let repository;
let counts;
let inserted = 1_000_000;

async function start({ mongodbUrl }) {
  const app = await startApp(mongodbUrl, () => {});
  counts = createRecordCounts?.(app.connection, request);
  const countsOf = new Map([[request.name, counts]]);
  const keeper = createCountKeeper?.({ countsOf, now: () => new Date() });
  const forgetCounts = async (account) => keeper?.forget(request.name, account);
  repository = createRecordRepository(app.connection, request, { forgetCounts });
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

const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Inserts as an import does. */
async function insert({ count }) {
  const records = Array.from({ length: count }, () => recordOf((inserted += 1)));
  for (let n = 0; n < count; n += 500) await repository.insertMany(records.slice(n, n + 500));
  return {};
}

/** Counts what was created one by one, so that its CPU is not that of the records inserted next. */
async function settle() {
  while (await counts?.fold(accountId, inAnHour())) continue;
  return {};
}

answer({ start, insert, settle });
