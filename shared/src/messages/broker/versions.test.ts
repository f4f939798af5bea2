import { z } from 'zod';
import { silentLogger } from '../../observing/logs/logger';
import { waitUntil } from '../../testing/wait-until';
import { on } from './broker';
import type { Contract, Queue } from '../../contracts/contract';
import { createMemoryBroker } from './memory-broker';

interface Painted {
  readonly colour: string;
}
interface PaintedTwice {
  readonly colours: readonly string[];
}
const first: Contract<Painted> = {
  name: 'shop.fence.painted.v1',
  schema: z.object({ colour: z.string() }),
};
const second: Contract<PaintedTwice> = {
  name: 'shop.fence.painted.v2',
  schema: z.object({ colours: z.array(z.string()) }),
};

test('a consumer accepts both versions of a message during a rolling upgrade of its publishers', async () => {
  const queue: Queue = { name: 'garden.fences', contracts: [first, second] };
  const broker = createMemoryBroker({ logger: silentLogger, queues: [queue] });
  const seen: string[][] = [];
  await broker.subscribe(queue, [
    on(first, ({ colour }) => Promise.resolve(void seen.push([colour]))),
    on(second, ({ colours }) => Promise.resolve(void seen.push([...colours]))),
  ]);
  await broker.publish(first, { colour: 'red' }, 'from the former release');
  await broker.publish(second, { colours: ['red', 'blue'] }, 'from the present release');
  await waitUntil('both', () => seen.length === 2);
  expect(seen).toEqual([['red'], ['red', 'blue']]);
  await broker.close();
});

test('an older consumer ignores a member that a newer publisher adds', async () => {
  const queue: Queue = { name: 'garden.fences', contracts: [first] };
  const broker = createMemoryBroker({ logger: silentLogger, queues: [queue] });
  const seen: Painted[] = [];
  await broker.subscribe(queue, [on(first, (message) => Promise.resolve(void seen.push(message)))]);
  const newer: Contract<Painted & { readonly coats: number }> = {
    name: first.name,
    schema: z.object({ colour: z.string(), coats: z.int() }),
  };
  await broker.publish(newer, { colour: 'red', coats: 2 }, 'with a member more');
  await waitUntil('the message', () => seen.length === 1);
  expect(seen[0]?.colour).toBe('red');
  await broker.close();
});
