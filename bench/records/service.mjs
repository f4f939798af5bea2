// The graph service as deployed, with as many requests as wanted.
import { createRequire } from 'node:module';
import { answer } from '../measure.mjs';
import { accountId, startApp } from './graph-app.mjs';

const load = createRequire(import.meta.url);
const { request } = load('../../services/graph/dist/record-types/request.js');
const { toDocument } = load('../../services/graph/dist/store/record.document.js');
const { created, newRecord } = load('../../services/graph/dist/write/made-record.js');

const statuses = ['on_backlog', 'assigned', 'accepted', 'in_progress', 'waiting_for', 'completed'];
let connection;
let heard;

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

async function fill(into, records) {
  for (let first = 1; first <= records; first += 5_000) {
    const count = Math.min(5_000, records - first + 1);
    const documents = Array.from({ length: count }, (_, n) => requestOf(first + n));
    await into.collection('requests').insertMany(documents, { ordered: false });
  }
}

async function start({ mongodbUrl, records }) {
  const app = await startApp(mongodbUrl, (into) => fill(into, records));
  connection = app.connection;
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find' || commandName === 'aggregate') heard?.push(command);
  });
  return { url: app.url, token: app.token };
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
