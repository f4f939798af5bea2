import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { waitUntil } from '../../testing/wait-until';
import { createGate } from '../broker/testing/gate';
import { createFences } from './testing/fences';

let all: ReturnType<typeof createFences>;
beforeAll(async () => {
  all = createFences(await startEmbeddedMongo());
});
afterEach(() => all.clear());
afterAll(() => all.close());

const atOnce = () => {};

test('leases of a dead process are taken over after three seconds, and not before', async () => {
  const gate = createGate();
  const { ids, relay, claims, insert, process, passSeconds } = await all.start(() => gate.opened);
  await insert('orphan');
  relay().nudge();
  // It may not claim what comes later: the dead claim nothing.
  await waitUntil('its last claim, which finds nothing', () => claims() === 2);
  const alive = await process(atOnce);
  await insert('free');
  await passSeconds(2, alive);
  await waitUntil('the free one', () => ids().length > 0);
  expect(ids()).toEqual(['free']);
  await passSeconds(1, alive);
  await waitUntil('the orphan', () => ids().length > 1);
  expect(ids()).toEqual(['free', 'orphan']);
  gate.open();
});

test('a quick look behind a slow one counts, so that nothing waits a second longer', async () => {
  const gate = createGate();
  const { ids, relay, claims, insert, process, pass, passSeconds } = await all.start(() => gate.opened);
  await insert('orphan');
  relay().nudge();
  await waitUntil('its last claim, which finds nothing', () => claims() === 2);
  const alive = await process(atOnce, 400);
  await passSeconds(0, alive);
  pass(600);
  await passSeconds(2, alive);
  await waitUntil('the orphan', () => ids().length > 0);
  gate.open();
});

test('a process that waits long for the broker keeps its leases', async () => {
  const gate = createGate();
  const { ids, insert, leased, process, passSeconds, waiting } = await all.start();
  await insert('slow');
  const slow = await process(() => gate.opened);
  await waitUntil('the lease', leased);
  const other = await process(atOnce);
  await passSeconds(8, slow, other);
  expect(ids()).toEqual([]);
  gate.open();
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  expect(ids()).toEqual(['slow']);
});

test('a frozen process that was given up sends nothing more, and does not touch the new lease', async () => {
  const [standstill, second] = [createGate(), createGate()];
  const { fences, ids, relay, insert, leased, process, passSeconds, waiting } = await all.start(
    () => standstill.opened,
  );
  await insert('first', 'second');
  const still = relay();
  still.nudge();
  await waitUntil('the lease', leased);
  const successor = await process(({ id }) => (id === 'second' ? second.opened : undefined));
  await passSeconds(3, successor);
  await waitUntil('the first', () => ids().includes('first'));
  const lease = await fences.collection.findOne({});
  standstill.open();
  await waitUntil('the first to be taken out', async () => !(await fences.exists({ 'outbox.id': 'first' })));
  expect(ids()).toEqual(['first', 'first']);
  expect(await fences.collection.findOne({})).toMatchObject({
    outboxOwner: lease?.['outboxOwner'] as string,
    outboxLeaseUntil: lease?.['outboxLeaseUntil'] as Date,
    outbox: [{ id: 'second' }],
  });
  second.open();
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  expect(ids()).toEqual(['first', 'first', 'second']);
});

test('leases are cheap: a busy process sends two commands per document at most, and one heartbeat per second', async () => {
  const { insert, process, waiting, passSeconds } = await all.start();
  const busy = await process(atOnce);
  await insert('0');
  await waitUntil('the first', async () => (await waiting()) === 0);
  const commands = () =>
    ['find', 'findAndModify', 'update'].reduce((sum, name) => sum + busy.count(`${name} fences`), 0);
  const before = commands();
  for (let number = 1; number <= 50; number += 1) await insert(`${number}`);
  busy.relay.nudge();
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  // Besides those that find nothing more.
  expect(commands() - before).toBeLessThanOrEqual(2 * 50 + 4);
  expect([busy.count('insert processes'), busy.count('update processes')]).toEqual([1, 0]);
  await passSeconds(3, busy);
  expect([busy.count('insert processes'), busy.count('update processes')]).toEqual([1, 3]);
});

test('an idle process writes nothing and is not listed, and returns for the next document', async () => {
  const { ids, insert, process, processes, passSeconds, pass, waiting } = await all.start();
  const idle = await process(atOnce);
  const writes = () =>
    ['insert', 'update', 'delete'].reduce((sum, name) => sum + idle.count(`${name} processes`), 0) +
    idle.count('findAndModify fences');
  await insert('one');
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  expect(await processes()).toBe(1);
  pass(30_000);
  await passSeconds(1, idle);
  expect(await processes()).toBe(0);
  const before = writes();
  await passSeconds(5, idle);
  expect(writes()).toBe(before);
  await insert('two');
  await waitUntil('the next one', () => ids().includes('two'));
});
