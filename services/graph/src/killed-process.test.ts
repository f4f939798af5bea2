import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { compileServices, startServiceProcess } from '@itsm/shared/testing/service-process';
import type { ServiceProcess } from '@itsm/shared/testing/service-process';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Connection } from 'mongoose';
import { createImporters } from './testing/importers';

/** Processes are polled once a second, so five polls take less than five seconds. */
const looksInFiveSeconds = 5;
/** A lease that does not expire: only the end of its process can free it, however slow the machine is. */
const neverExpiring = new Date('2100-01-01T00:00:00Z');

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let url: string;
let store: Connection;
const processes: ServiceProcess[] = [];
beforeAll(async () => {
  compileServices();
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
});
let databases = 0;
beforeEach(async () => {
  url = mongo.urlOf(`killed_${(databases += 1)}`);
  store = await connectPatiently(url);
});
afterEach(async () => {
  for (const one of processes.splice(0)) await one.kill();
  await store.close();
});
afterAll(async () => {
  await keys.close();
  await mongo.close();
});

/** Starts the service as a separate process; with `hangs` its broker confirms no event. */
async function start(hangs = false): Promise<ServiceProcess & { readonly origin: string }> {
  const settings = { mongodbUrl: url, authJwksUrl: keys.jwksUri, hangs };
  const started = await startServiceProcess(require.resolve('./testing/graph-process.cjs'), settings);
  processes.push(started);
  const { origin } = started.said.find((message) => message !== 'look') as { origin: string };
  return { ...started, origin };
}

/** The first event that it published. */
const eventOf = ({ said }: ServiceProcess): string | undefined =>
  (said as { readonly id?: string }[]).find(({ id }) => id !== undefined)?.id;

async function createRequest(origin: string): Promise<void> {
  const answer = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${keys.token({ accounts: { wdc: ['specialist'] } })}`,
      'X-Service-Account': 'wdc',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ query: 'mutation { requestCreate(input: { subject: "Lost?" }) { errors { message } } }' }),
  });
  expect(await answer.json()).toEqual({ data: { requestCreate: { errors: [] } } });
}

test('an event that a killed process was publishing is published by another process, although the lease still holds', async () => {
  const killed = await start(true);
  await createRequest(killed.origin);
  const event = await waitUntil('the event to be on its way', () => eventOf(killed));
  await killed.kill();
  const requests = store.collection('requests');
  const leased = { outboxLeaseUntil: { $gt: new Date(0) } };
  expect(await requests.updateOne(leased, { $set: { outboxLeaseUntil: neverExpiring } })).toMatchObject({
    matchedCount: 1,
  });
  const successor = await start();
  expect(await waitUntil('the event again', () => eventOf(successor))).toBe(event);
  expect(successor.looks()).toBeLessThanOrEqual(looksInFiveSeconds);
  await waitUntil('an empty outbox', async () => !('outbox' in ((await requests.findOne({})) ?? {})));
});

test('an import of a killed process is resumed by another process without duplicates, although the lease still holds', async () => {
  const rows = 8_000;
  const file = `subject\n${Array.from({ length: rows }, (_, n) => `Row ${n}`).join('\n')}\n`;
  const imports = store.collection('imports');
  const killed = await start();
  const before = createImporters(killed.origin, keys)();
  const token = before.tokenIn(await before.send('request', file).expect(202));
  await waitUntil('the first rows', () => imports.findOne({ line: { $gt: 1 } }));
  await killed.kill();
  const left = await imports.findOne({});
  expect(left).toMatchObject({ state: 'processing', fence: 1 });
  await imports.updateOne({}, { $set: { leaseUntil: neverExpiring } });
  const successor = await start();
  await waitUntil('the import to be taken over', () => imports.findOne({ fence: 2 }));
  expect(successor.looks()).toBeLessThanOrEqual(looksInFiveSeconds);
  const after = createImporters(successor.origin, keys)();
  expect(await after.finished(token)).toMatchObject({ state: 'done', line: rows + 1 });
  expect(await store.collection('requests').countDocuments()).toBe(rows);
});
