import { setImmediate as turn } from 'node:timers/promises';
import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { createGate } from '../broker/testing/gate';
import { waitUntil } from '../../testing/wait-until';
import { outboxEntry, pushToOutbox, withOutbox } from './outbox';
import { entry, painted, createFences } from './testing/fences';

let all: ReturnType<typeof createFences>;
beforeAll(async () => {
  all = createFences(await startEmbeddedMongo());
});
afterEach(() => all.clear());
afterAll(() => all.close());

test('waiting entries are sent with their id, and the outbox is empty afterwards', async () => {
  const { fences, sent, relay, insert, waiting } = await all.start();
  await insert('a');
  relay().start();
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  expect(sent).toEqual([{ id: 'a', message: { colour: 'green', details: {} } }]);
  expect(await fences.collection.findOne({})).toEqual({ _id: expect.anything() as unknown, name: 'fence', __v: 0 });
});

test('a message arrives unchanged, with empty objects and without undefined members', async () => {
  const { fences, sent, relay, now } = await all.start();
  const fence = await fences.create({ name: 'plain' });
  const message = { colour: '$name.with.dots', details: { coats: undefined } };
  await fences.updateOne(
    { _id: fence._id },
    { $set: { name: 'painted' }, ...pushToOutbox([outboxEntry(painted, message, 'b')], now()) },
  );
  relay().start();
  await waitUntil('the message', () => sent.length === 1);
  expect(sent).toStrictEqual([{ id: 'b', message: { colour: '$name.with.dots', details: {} } }]);
});

test('the entries of one document are sent in order', async () => {
  const { ids, relay, insert } = await all.start();
  const order = Array.from({ length: 30 }, (_, number) => `entry ${number}`);
  await insert(...order);
  relay().start();
  await waitUntil('all messages', () => ids().length === order.length);
  expect(ids()).toEqual(order);
});

test('an entry that is written while another of its document is being sent is sent too', async () => {
  const gate = createGate();
  const { fences, ids, relay, insert, waiting, leased, now } = await all.start(({ id }) =>
    id === 'first' ? gate.opened : undefined,
  );
  const fence = await insert('first');
  const running = relay();
  running.start();
  await waitUntil('the lease', () => leased());
  await fences.updateOne({ _id: fence._id }, pushToOutbox([entry('second')], now()));
  running.nudge();
  gate.open();
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  expect(ids()).toEqual(['first', 'second']);
});

test('many documents are claimed together, each is sent once, and those that come meanwhile are sent too', async () => {
  // Sending takes longer than claiming, by calls of the store.
  const slow = async (): Promise<void> => {
    for (let calls = 0; calls < 10; calls += 1) await waiting();
  };
  const { ids, insert, waiting, process } = await all.start(slow);
  const names = Array.from({ length: 200 }, (_, number) => `backlog ${number}`);
  for (const name of names) await insert(name);
  const { relay, count } = await process();
  await waitUntil('the first half', () => ids().length >= 100);
  await insert('late');
  relay.nudge();
  await waitUntil('the outboxes to be empty', async () => (await waiting()) === 0);
  expect([...ids()].sort()).toEqual([...names, 'late'].sort());
  expect(count('findAndModify fences')).toBeLessThan(names.length / 2);
});

test('a document that another process leases meanwhile is not claimed with the others', async () => {
  const gate = createGate();
  const { ids, insert, waiting, process } = await all.start();
  for (let number = 0; number < 60; number += 1) await insert(`shared ${number}`);
  const both = [await process(() => gate.opened), await process(() => gate.opened)];
  await waitUntil('both to have some', () => both.every(({ count }) => count('update fences') > 0));
  gate.open();
  await waitUntil('the outboxes to be empty', async () => (await waiting()) === 0);
  expect(new Set(ids()).size).toBe(60);
  expect(ids()).toHaveLength(60);
});

test('a failed publish is retried later, and does not delay other documents', async () => {
  let broken = true;
  const { ids, lines, relay, insert, waiting, pass } = await all.start(({ id }) => {
    if (broken && id === 'bad') throw new Error('The broker is away');
  });
  await insert('bad', 'after bad');
  for (let number = 0; number < 40; number += 1) await insert(`good ${number}`);
  relay().start();
  await waitUntil('the good ones to be settled', async () => (await waiting()) === 1);
  expect(ids()).toHaveLength(40);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', collection: 'fences', id: 'bad' });

  broken = false;
  pass(5_000);
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  expect(ids().slice(40)).toEqual(['bad', 'after bad']);
});

test('entries confirmed before a failure are not sent again', async () => {
  let broken = true;
  const { ids, relay, insert, waiting, pass } = await all.start(({ id }) => {
    if (broken && id === 'second') throw new Error('The broker is away');
  });
  await insert('first', 'second');
  relay().start();
  await waitUntil('the first', () => ids().length === 1);
  broken = false;
  await waitUntil('the rest', async () => {
    pass(1_000);
    return (await waiting()) === 0;
  });
  expect(ids()).toEqual(['first', 'second']);
});

test('an unknown contract stays in its outbox and is reported', async () => {
  const { fences, ids, lines, relay, insert, waiting, now } = await all.start();
  const unknown = { ...painted, name: 'shop.fence.stolen.v1' };
  await fences.create({ name: 'odd', ...withOutbox([outboxEntry(unknown, { colour: 'none', details: {} })], now()) });
  await insert('good');
  relay().start();
  await waitUntil('the good one', () => ids().includes('good'));
  await waitUntil('the line', () => lines.some((line) => line.includes('shop.fence.stolen.v1')));
  await waitUntil('the good one to be settled', async () => (await waiting()) === 1);
  expect(await fences.countDocuments({ outbox: { $size: 1 } })).toBe(1);
});

test('while everything fails a relay rests between its polls, and later sends all', async () => {
  let broken = true;
  let attempts = 0;
  const { ids, relay, insert, waiting, pass } = await all.start(() => {
    attempts += 1;
    if (broken) throw new Error('The broker is away');
  });
  for (let number = 0; number < 100; number += 1) await insert(`${number}`);
  const running = relay();
  running.nudge();
  await waitUntil('some attempts', () => attempts >= 20);
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(attempts).toBeLessThanOrEqual(40);
  broken = false;
  pass(60_000);
  running.start();
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  expect(new Set(ids()).size).toBe(100);
});

test('two relays on one collection send every message once', async () => {
  const { ids, relay, insert, waiting } = await all.start(() => turn());
  for (let number = 0; number < 150; number += 1) await insert(`${number}`);
  relay().start();
  relay().start();
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  expect(ids()).toHaveLength(150);
  expect(new Set(ids()).size).toBe(150);
});

test('a document of a dead relay is sent when its lease expires', async () => {
  const { fences, ids, relay, insert, pass, now } = await all.start();
  const fence = await insert('orphan');
  await fences.updateOne(
    { _id: fence._id },
    { $set: { outboxLeaseUntil: new Date(now().getTime() + 30_000), outboxOwner: 'orphan' } },
  );
  await insert('free');
  relay().start();
  await waitUntil('the free one', () => ids().includes('free'));
  expect(ids()).toEqual(['free']);
  pass(30_000);
  await waitUntil('the orphan', () => ids().includes('orphan'));
});

test('at most twenty documents are sent concurrently', async () => {
  const gate = createGate();
  let atWork = 0;
  let most = 0;
  const { ids, relay, insert } = await all.start(async () => {
    most = Math.max(most, (atWork += 1));
    await gate.opened;
    atWork -= 1;
  });
  for (let number = 0; number < 50; number += 1) await insert(`${number}`);
  relay().start();
  await waitUntil('twenty at work', () => atWork === 20);
  gate.open();
  await waitUntil('all messages', () => ids().length === 50);
  expect(most).toBe(20);
});

test('a slow document does not delay a nudged one', async () => {
  const gate = createGate();
  const { ids, relay, insert } = await all.start(({ id }) => (id === 'slow' ? gate.opened : undefined));
  const running = relay();
  await insert('slow');
  running.nudge();
  await insert('quick');
  running.nudge();
  await waitUntil('the quick one', () => ids().includes('quick'));
  expect(ids()).toEqual(['quick']);
  gate.open();
});

test('stop finishes the current entry and leaves the rest for the next relay', async () => {
  const gate = createGate();
  let started = false;
  const { fences, ids, relay, insert, waiting } = await all.start(({ id }) => {
    started = true;
    return id === 'first' ? gate.opened : undefined;
  });
  await insert('first', 'second');
  const running = relay();
  running.start();
  await waitUntil('the first to be at work', () => started);
  const stopped = running.stop();
  gate.open();
  await stopped;
  expect(ids()).toEqual(['first']);
  expect(await fences.countDocuments({ outbox: { $size: 1 }, outboxLeaseUntil: { $exists: false } })).toBe(1);
  running.nudge();
  relay().start();
  await waitUntil('the outbox to be empty', async () => (await waiting()) === 0);
  expect(ids()).toEqual(['first', 'second']);
});

test('a document that was deleted in the meantime is skipped', async () => {
  const gate = createGate();
  const { fences, ids, lines, relay, insert, leased } = await all.start(({ id }) =>
    id === 'gone' ? gate.opened : undefined,
  );
  await insert('gone');
  const running = relay();
  running.start();
  await waitUntil('the lease', () => leased());
  await fences.deleteMany({});
  gate.open();
  await insert('next');
  await waitUntil('the next', () => ids().length === 2);
  await running.stop();
  expect(lines).toEqual([]);
});
