import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAmqpBroker } from '@itsm/shared/messages/broker/amqp-broker';
import { on } from '@itsm/shared/messages/broker/broker';
import { accountSaved } from '@itsm/shared/contracts/directory';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startForwarder } from './forwarder';
import { amqpGreeting, answers, startPortMapper, startRabbitmq } from './servers';
import type { FaultyRabbitmq } from './servers';

const queue = { name: 'operations.accounts', contracts: [accountSaved] };
const account = { name: 'Account', customUrl: null, directoryAccountId: null, disabled: false, version: 1 };

/** A cluster of three nodes, behind one address. */
async function startCluster(home: string) {
  const mapper = await startPortMapper(home);
  const first = await startRabbitmq(home, mapper, { name: 'one' });
  const others = await Promise.all(['two', 'three'].map((name) => startRabbitmq(home, mapper, { name, first: 'one' })));
  const nodes = [first, ...others];
  const isReady = (port: number) => () => answers(port, amqpGreeting);
  const forwarder = await startForwarder(nodes.map(({ port }) => ({ port, isReady: isReady(port) })));
  await waitUntil('three nodes', () => forwarder.countReady() === 3);
  return { nodes, forwarder, url: `amqp://guest:guest@127.0.0.1:${forwarder.port}` };
}

/** The node that leads the queue, according to a live node. */
async function leaderOf(nodes: readonly FaultyRabbitmq[]): Promise<FaultyRabbitmq> {
  const lines = (await nodes[0]?.control('list_queues', 'name', 'leader')) ?? '';
  const leader = nodes.find(({ nodeName }) => lines.includes(`${queue.name}\t${nodeName}`));
  if (!leader) throw new Error(`no node leads ${queue.name}: ${lines}`);
  return leader;
}

/** Publishes `count` messages, kills the queue's leader meanwhile, and returns the confirmed and the received ones. */
export async function killLeaderUnderLoad(count: number) {
  const home = mkdtempSync(join(tmpdir(), 'itsm-cluster-'));
  const { nodes, forwarder, url } = await startCluster(home);
  const broker = await connectAmqpBroker({ url, service: 'operations', logger: silentLogger, queues: [queue] });
  const received = new Set<string>();
  await broker.subscribe(queue, [on(accountSaved, ({ id }) => Promise.resolve(void received.add(id)))]);
  await waitUntil('three members', async () => (await membersOf(nodes)) === 3);
  const leader = await leaderOf(nodes);

  let confirmed = 0;
  let longest = 0;
  let next = 0;
  const publish = async (): Promise<void> => {
    while (next < count) {
      const number = (next += 1);
      if (number === Math.floor(count / 2)) leader.kill();
      const started = performance.now();
      // Unconfirmed messages are sent again under the same id, as by the relay.
      const id = randomUUID();
      while (
        !(await broker.publish(accountSaved, { ...account, id: String(number) }, id).then(
          () => true,
          () => false,
        ))
      );
      confirmed += 1;
      longest = Math.max(longest, performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: 50 }, publish));
  await waitUntil('everything that was confirmed', () => received.size === count).catch(() => undefined);
  if (await answers(leader.port, amqpGreeting)) throw new Error('the leader lives');
  await broker.close();
  await forwarder.close();
  for (const node of nodes) node.kill();
  rmSync(home, { recursive: true, force: true });
  return { confirmed, received: received.size, longest: Math.round(longest) };
}

const membersOf = async (nodes: readonly FaultyRabbitmq[]): Promise<number> => {
  const lines = (await nodes[0]?.control('list_queues', 'name', 'members')) ?? '';
  const line = lines.split('\n').find((one) => one.startsWith(queue.name + '\t'));
  return nodes.filter(({ nodeName }) => line?.includes(nodeName)).length;
};
