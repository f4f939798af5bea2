// The graph service with many records of one type, as its write path stores them.
import { createRequire } from 'node:module';
import { answer } from '../measure.mjs';
import { accountId, startApp } from '../records/graph-app.mjs';
import { questionsOf, valueIn } from './questions.mjs';

const load = createRequire(import.meta.url);
const { recordTypes } = load('../../services/graph/dist/record-types/all.js');
const { createRecordCounts } = load('../../services/graph/dist/store/record-counts.repository.js');
const { createRecordRepository } = load('../../services/graph/dist/store/record.repository.js');
const { created, newRecord } = load('../../services/graph/dist/write/made-record.js');

let connection;

function recordOf(type, id) {
  const moment = { personId: 1, accountId, now: new Date(Date.UTC(2020, 0, 1) + id * 60_000) };
  const given = Object.fromEntries(type.fields.map((field, salt) => [field.name, valueIn(field, id, salt)]));
  return newRecord(id, created(type, given, moment), moment);
}

async function fill(type, into, records) {
  const repository = createRecordRepository(into, type);
  for (let first = 1; first <= records; first += 5_000) {
    const length = Math.min(5_000, records - first + 1);
    await repository.insertMany(Array.from({ length }, (_none, n) => recordOf(type, first + n)));
  }
  const counts = createRecordCounts(into, type);
  await counts.begin(new Date());
  while (!(await counts.sweep(accountId, new Date()))) continue;
}

async function start({ mongodbUrl, records, typeName }) {
  const type = recordTypes.find(({ name }) => name === typeName);
  const app = await startApp(mongodbUrl, (into) => fill(type, into, records));
  connection = app.connection;
  return { url: app.url, token: app.token, questions: questionsOf(type, records) };
}

/** Index keys and documents that the store has examined since `watch`. */
async function examined() {
  await connection.db.command({ profile: 0 });
  const all = await connection
    .collection('system.profile')
    .find({ ns: { $not: /system/ } })
    .toArray();
  const sum = (name) => all.reduce((before, one) => before + (one[name] ?? 0), 0);
  return { keys: sum('keysExamined'), documents: sum('docsExamined') };
}

async function watch() {
  await connection.db.command({ profile: 0 });
  await connection.collection('system.profile').drop();
  await connection.db.command({ profile: 2 });
  return {};
}

answer({ start, watch, examined });
