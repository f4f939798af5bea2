// From the answer of a GraphQL mutation to its receiver: graph, webhooks, webhook-delivery, RabbitMQ and the store, in
// separate processes.
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { untilDone } from '../../scripts/engine.mjs';
import { startPlatform } from './commit-platform.mjs';
import { percentile } from '../measure.mjs';

const atOnce = 30;
/** Warm-up at half the rate: a new process still compiles its code. */
const warmUp = 500;
const patience = 120_000;
const mutation =
  'mutation ($subject: String!) { requestCreate(input: { subject: $subject }) { request { id } errors { message } } }';

/** Records the arrival time of each object's delivery. */
async function startReceiver() {
  const receiver = { arrivals: new Map(), verification: undefined };
  const server = createServer((req, res) => {
    const at = performance.now();
    let text = '';
    req.on('data', (chunk) => (text += chunk));
    req.on('end', () => {
      setTimeout(() => res.end(), 5);
      const { event, object_nodeID: object, payload } = JSON.parse(text);
      if (event === 'webhook.verify') receiver.verification = payload.callback;
      else receiver.arrivals.set(object, at);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(receiver, {
    uri: `http://127.0.0.1:${server.address().port}/hook`,
    close: () => server.close(),
  });
}

async function register({ origins, headers }, receiver) {
  const body = JSON.stringify({ event: 'request.create', uri: receiver.uri });
  await untilDone(async () => {
    const answer = await fetch(`${origins.webhooks}/v1/webhooks`, { method: 'POST', headers: headers(), body });
    if (answer.status !== 201) throw new Error(`registering answered ${answer.status}`);
  });
  await untilDone(async () => {
    if (!receiver.verification || !(await fetch(receiver.verification)).ok) throw new Error('it is not verified');
  });
}

async function create({ origins, headers }, subject) {
  const body = JSON.stringify({ query: mutation, variables: { subject } });
  const answer = await fetch(`${origins.graph}/graphql`, { method: 'POST', headers: headers(), body });
  const { data } = await answer.json();
  return [data.requestCreate.request.id, performance.now()];
}

/** Makes that many changes at this rate; returns the created ids with their answer times. */
async function change(platform, { changes, perSecond }) {
  const started = performance.now();
  const made = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < changes; index = next++) {
      await pause(started + (index / perSecond) * 1_000 - performance.now());
      made.push(await create(platform, `change ${index}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return made;
}

export async function commit(show, store, { changes, perSecond }) {
  const directory = mkdtempSync(join(tmpdir(), 'itsm-commit-'));
  const receiver = await startReceiver();
  const platform = await startPlatform(directory, store);
  try {
    await register(platform, receiver);
    await untilDone(() => create(platform, 'the first'));
    await change(platform, { changes: warmUp, perSecond: perSecond / 2 });
    const before = await platform.cpu();
    const started = performance.now();
    const made = await change(platform, { changes, perSecond });
    const rate = (changes / (performance.now() - started)) * 1_000;
    const giveUpAt = performance.now() + patience;
    while (made.some(([id]) => !receiver.arrivals.has(id)) && performance.now() < giveUpAt) await pause(50);
    const arrived = made.filter(([id]) => receiver.arrivals.has(id));
    const times = arrived.map(([id, at]) => receiver.arrivals.get(id) - at).sort((a, b) => a - b);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(0));
    show(
      `commit to receiver, ${rate.toFixed(0)} changes/s: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, ${made.length - arrived.length} lost`,
    );
    const used = Object.entries(await platform.cpu()).map(([name, until]) => [name, (until - before[name]) / changes]);
    show(`CPU of each change: ${used.map(([name, each]) => `${name} ${each.toFixed(0)} µs`).join(', ')}`);
  } finally {
    await platform.stop();
    receiver.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
