// npm run test:faults [-- --events=10000]: changes flow to three receivers while every process on the way is killed in turn.
/* global AbortSignal */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPlatform, untilDone } from './platform.mjs';
import { startReceivers } from './receivers.mjs';

const { MongoClient } = createRequire(import.meta.url)('mongodb');

const events = Number(process.argv.find((option) => /^--events=\d+$/.test(option))?.split('=')[1] ?? 10_000);
const victims = ['webhook-delivery', 'webhooks', 'graph', 'store', 'rabbitmq'];
const receiverCount = 3;
const atOnce = 8;
const drainMilliseconds = 300_000;
const settleMilliseconds = 35_000;
/** What comes twice was first on its way when something was killed, or while that was coming back. */
const crashWindow = { before: 5_000, after: 30_000 };

const say = (text) => process.stdout.write(`${text}\n`);

async function register(platform, receiver) {
  const webhooks = `${platform.origins.webhooks}/v1/webhooks`;
  const body = JSON.stringify({ event: 'request.create', uri: receiver.uri });
  await untilDone(async () => {
    const answer = await fetch(webhooks, { method: 'POST', headers: platform.headers(), body });
    if (answer.status !== 201) throw new Error(`registering answered ${answer.status} ${await answer.text()}`);
  });
  await untilDone(async () => {
    if (!receiver.verification) throw new Error('the verification has not come');
    const answer = await fetch(receiver.verification);
    if (!answer.ok) throw new Error(`the verification answered ${answer.status}`);
  });
}

const mutation =
  'mutation ($subject: String!) { requestCreate(input: { subject: $subject }) { request { id } errors { message } } }';

/** True when it was acknowledged; what was not may have been made all the same. */
async function create(platform, subject) {
  try {
    const answer = await fetch(`${platform.origins.graph}/graphql`, {
      method: 'POST',
      headers: platform.headers(),
      body: JSON.stringify({ query: mutation, variables: { subject } }),
      signal: AbortSignal.timeout(15_000),
    });
    const { data, errors } = await answer.json();
    if (data?.requestCreate?.request?.id) return data.requestCreate.request.id;
    if (answer.status === 200 && !errors) throw new Error(JSON.stringify(data));
    return undefined;
  } catch {
    await pause(100);
    return undefined;
  }
}

/** Changes until so many are acknowledged; kills one victim after the other on the way. */
async function changeAndKill(platform, changes) {
  const acknowledged = [];
  const kills = [];
  const killAt = victims.map((_victim, index) => Math.floor((changes * (index + 1)) / (victims.length + 1)));
  let asked = 0;
  const worker = async () => {
    while (acknowledged.length < changes) {
      const id = await create(platform, `Change ${(asked += 1)}`);
      if (id) acknowledged.push(id);
      if (acknowledged.length >= killAt[0]) {
        killAt.shift();
        const victim = victims[victims.length - killAt.length - 1];
        say(`  kill -9 ${victim} after ${acknowledged.length} changes`);
        kills.push(Date.now());
        platform.kill(victim);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { acknowledged, kills };
}

/** The node ids of all changes that the store has, acknowledged or not. */
async function committed(platform, acknowledged) {
  const client = await untilDone(() => MongoClient.connect(platform.databaseUrl('graph')));
  const count = await untilDone(() => client.db().collection('requests').countDocuments());
  await client.close();
  return Math.max(count, acknowledged.length);
}

const objectsOf = ({ deliveries }) => new Set([...deliveries.values()].map(({ object }) => object));

async function main() {
  const directory = mkdtempSync(join(tmpdir(), 'itsm-faults-'));
  const { receivers, close } = await startReceivers(receiverCount);
  const platform = await startPlatform(directory);
  let failed = true;
  try {
    for (const receiver of receivers) await register(platform, receiver);
    const started = Date.now();
    const changes = Math.ceil(events / receiverCount);
    say(`${changes} changes, ${receiverCount} receivers: ${changes * receiverCount} events`);
    const { acknowledged, kills } = await changeAndKill(platform, changes);
    const count = await committed(platform, acknowledged);
    const giveUpAt = Date.now() + drainMilliseconds;
    while (receivers.some((one) => objectsOf(one).size < count) && Date.now() < giveUpAt) await pause(200);
    // What is made twice comes a lease later.
    await pause(settleMilliseconds);
    failed = !report(receivers, { acknowledged, kills, count, milliseconds: Date.now() - started });
  } finally {
    await platform.stop();
    close();
    if (failed) say(`The logs are in ${join(directory, 'logs')}`);
    else rmSync(directory, { recursive: true, force: true });
  }
  process.exit(failed ? 1 : 0);
}

const isInWindow = (time, kills) =>
  kills.some((kill) => time > kill - crashWindow.before && time < kill + crashWindow.after);

function report(receivers, { acknowledged, kills, count, milliseconds }) {
  const expected = count * receivers.length;
  const deliveries = receivers.flatMap((one) => [...one.deliveries.values()]);
  const calls = deliveries.reduce((sum, one) => sum + one.calls, 0);
  const arrived = receivers.reduce((sum, one) => sum + objectsOf(one).size, 0);
  const missing = expected - arrived;
  const lost = receivers.reduce((sum, one) => sum + acknowledged.filter((id) => !objectsOf(one).has(id)).length, 0);
  const twice = calls - deliveries.length;
  const unexplained = deliveries.filter((one) => one.calls > 1 && !isInWindow(one.since, kills)).length;
  // Of few events those that are on the wire at one moment are more than 1 %.
  const most = Math.max(expected / 100, atOnce * receivers.length);
  // One id for each object and receiver, however often it was sent.
  const unstable = deliveries.length - arrived;
  say(`committed changes        ${count} (${acknowledged.length} acknowledged)`);
  say(`events                   ${expected} in ${(milliseconds / 1000).toFixed(0)} s`);
  say(`missing                  ${missing} (${lost} of them acknowledged)`);
  say(
    `delivered twice          ${twice} (${((twice / expected) * 100).toFixed(2)} %, ${unexplained} outside of a crash)`,
  );
  say(`events with another id   ${unstable}`);
  return missing === 0 && lost === 0 && unstable === 0 && unexplained === 0 && twice < most;
}

await main();
