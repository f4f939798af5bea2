import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import { z } from 'zod';
import type { Contract } from '../../../contracts/contract';
import { createLogger } from '../../../observing/logs/logger';
import { connectPatiently } from '../../../testing/connect-patiently';
import { createPresence } from '../../../stores/presence/presence';
import { waitUntil } from '../../../testing/wait-until';
import type { Broker } from '../../broker/broker';
import { outboxEntry, outboxPaths, withOutbox } from '../outbox';
import { ensureOutboxIndexes } from '../outbox-store';
import { createRelay } from '../relay';

interface Painted {
  readonly colour: string;
  readonly details: { readonly coats?: number | undefined };
}

/** A message of a sample document with an outbox, a fence. */
export const painted: Contract<Painted> = {
  name: 'shop.fence.painted.v1',
  schema: z.object({ colour: z.string(), details: z.object({ coats: z.int().optional() }) }),
};

interface Sent {
  readonly id: string;
  readonly message: unknown;
}

type Answer = (sent: Sent) => Promise<void> | void;

const fenceModel = (connection: Connection) =>
  connection.model('Fence', new Schema({ name: String, ...outboxPaths }, { collection: 'fences' }));

/** An outbox entry. */
export const entry = (id: string) => outboxEntry(painted, { colour: 'green', details: {} }, id);

interface Looking {
  readonly looks: () => number;
}

/** Waits until each process has completed a check that began after this call: the second of two. */
async function looked(processes: readonly Looking[]): Promise<void> {
  for (const { looks } of processes) {
    const before = looks();
    await waitUntil('another look', () => looks() >= before + 2);
  }
}

interface Store {
  urlOf(database: string): string;
  close(): Promise<unknown>;
}

/** Databases for a test file. `start` gives each test one of its own; `clear` closes them and all relays. */
export function createFences(mongo: Store) {
  const closers: (() => Promise<unknown>)[] = [];

  /** A database of its own, and a broker whose `answer` decides each publish. */
  async function start(answer: Answer = () => {}) {
    const url = mongo.urlOf(`relay-${randomUUID()}`);
    const open = async () => {
      const opened = await connectPatiently(url, { monitorCommands: true });
      closers.push(() => opened.close());
      return opened;
    };
    const connection = await open();
    let claims = 0;
    connection.getClient().on('commandSucceeded', ({ commandName }) => {
      if (commandName === 'findAndModify') claims += 1;
    });
    const fences = fenceModel(connection);
    const collections = [fences.collection.name];
    await ensureOutboxIndexes(connection, collections);
    const clock = { present: new Date('2025-03-01T12:00:00Z') };
    const sent: Sent[] = [];
    const lines: string[] = [];
    const logger = createLogger('test', 'warn', (line) => lines.push(line));
    const now = () => clock.present;
    const pass = (milliseconds: number) => void (clock.present = new Date(clock.present.getTime() + milliseconds));
    const elapsed = () => now().getTime();

    const brokerOf = (decide: Answer): Broker => ({
      async publish(_contract, message, id) {
        await decide({ id, message });
        sent.push({ id, message });
      },
      subscribe: () => Promise.resolve(),
      isUp: () => true,
      close: () => Promise.resolve(),
    });

    function make(of: Connection, decide: Answer) {
      const presence = createPresence({ connection: of, logger, elapsed, intervalMilliseconds: 5 });
      const broker = brokerOf(decide);
      const contracts = [painted];
      const pollMilliseconds = 20;
      const relay = createRelay({
        connection: of,
        collections,
        contracts,
        broker,
        presence,
        logger,
        now,
        pollMilliseconds,
      });
      return { presence, relay };
    }

    return {
      fences,
      sent,
      lines,
      pass,
      now,
      /** A relay of a process that neither beats nor checks others, as if dead or frozen. */
      relay: () => {
        const { relay } = make(connection, answer);
        closers.push(() => relay.stop());
        return relay;
      },
      /** How many claims of such relays were answered; the last one of a nudge finds nothing. */
      claims: () => claims,
      /** A relay of a live process: it beats, and checks others; its first check takes that long. */
      process: async (decide: Answer = answer, firstCheckMilliseconds = 0) => {
        const own = await open();
        const commands: string[] = [];
        own.getClient().on('commandStarted', ({ commandName, command }) => {
          commands.push(`${commandName} ${String(command[commandName])}`);
          if (commandName === 'find' && count('find processes') === 1 && commands.at(-1) === 'find processes')
            pass(firstCheckMilliseconds);
        });
        const count = (name: string) => commands.filter((command) => command === name).length;
        const { presence, relay } = make(own, decide);
        closers.push(async () => {
          await relay.stop();
          await presence.stop();
        });
        presence.start();
        relay.start();
        return { relay, count, looks: () => count('find processes') };
      },
      /** Advances the clock second by second, and lets every process check the others in each. */
      passSeconds: async (seconds: number, ...processes: readonly Looking[]) => {
        await looked(processes);
        for (let passed = 0; passed < seconds; passed += 1) {
          pass(1_000);
          await looked(processes);
        }
      },
      ids: () => sent.map(({ id }) => id),
      waiting: () => fences.countDocuments({ outboxAt: { $exists: true } }),
      leased: () => fences.exists({ outboxLeaseUntil: { $exists: true } }),
      processes: () => connection.collection('processes').countDocuments(),
      insert: (...ids: string[]) => fences.create({ name: 'fence', ...withOutbox(ids.map(entry), clock.present) }),
    };
  }

  return {
    start,
    async clear() {
      for (const close of closers.splice(0).reverse()) await close();
    },
    close: () => mongo.close(),
  };
}
