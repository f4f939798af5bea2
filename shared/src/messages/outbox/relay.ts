import { SpanKind } from '@opentelemetry/api';
import type { Connection } from 'mongoose';
import type { Broker } from '../broker/broker';
import type { Contract } from '../../contracts/contract';
import type { Logger } from '../../observing/logs/logger';
import type { Clock } from '../../base/time/clock';
import { outboxes, outboxPublished } from '../../observing/metrics/metrics';
import { inSpan } from '../../observing/tracing/tracing';
import type { Leasable, Presence } from '../../stores/presence/presence';
import type { OutboxEntry, Relay } from './outbox';
import { createOutboxStore, ensureOutboxIndexes } from './outbox-store';
import type { Claimed } from './outbox-store';
import { createPump } from './pump';
import type { Pump } from './pump';

export interface RelayOptions {
  readonly connection: Connection;
  /** The collections whose documents have an outbox. */
  readonly collections: readonly string[];
  /** All contracts that entries may refer to. */
  readonly contracts: readonly Contract<unknown>[];
  readonly broker: Broker;
  /** The presence of this process, under which documents are leased. */
  readonly presence: Presence;
  readonly logger: Logger;
  readonly now: Clock;
  readonly pollMilliseconds?: number;
}

const messaging = { 'messaging.system': 'rabbitmq', 'messaging.operation.type': 'send' };
const leaseMilliseconds = 30_000;
const retryMilliseconds = 2_000;
const documentsAtOnce = 20;
/** With so many in hand there may be a backlog: then documents are claimed together, which takes three commands. */
const inHandOfBacklog = 3;
/** So many together are cheaper than one by one. */
const fewestTogether = 4;

/**
 * Sends the entries in the outboxes of `collections`: at least once, and in order within a document. A document whose
 * sending fails is delayed while others go on.
 */
export function createRelay(options: RelayOptions): Relay {
  const { connection, collections, contracts, broker, presence, logger, now, pollMilliseconds = 1_000 } = options;
  const store = createOutboxStore(connection);
  const byName = new Map(contracts.map((contract) => [contract.name, contract]));
  let stopped = false;

  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);

  async function publish({ contract: name, message, id, traceparent }: OutboxEntry): Promise<void> {
    const contract = byName.get(name);
    if (!contract) throw new Error(`The relay does not know the contract ${name}`);
    const span = { kind: SpanKind.PRODUCER, parent: traceparent, attributes: messaging };
    try {
      await inSpan(`send ${name}`, span, () => broker.publish(contract, JSON.parse(message), id));
      outboxPublished.inc({ contract: name, result: 'sent' });
    } catch (error) {
      outboxPublished.inc({ contract: name, result: 'failed' });
      throw error;
    }
  }

  /** False when it must be retried. */
  async function send(claimed: Claimed): Promise<boolean> {
    const sent: string[] = [];
    for (const entry of claimed.entries) {
      if (stopped || !(await presence.holds(claimed.owner))) break;
      try {
        await publish(entry);
      } catch (error) {
        const { collection, documentId } = claimed;
        const facts = { collection, documentId: String(documentId), contract: entry.contract, id: entry.id, error };
        logger.warn('An outbox entry could not be sent and waits for its next try', facts);
        await store.postpone(claimed, sent, later(retryMilliseconds));
        return false;
      }
      sent.push(entry.id);
    }
    const emptied = await store.settle(claimed, sent);
    if (!emptied) nudge(claimed.collection);
    return true;
  }

  /** Claims one document, or several when there are many; those are given out one by one while their leases are young. */
  function createClaims(collection: string, claimAgain: () => void) {
    let ahead: readonly Claimed[] = [];
    let goodUntil = 0;
    let inHand = 0;
    /** How many more are claimed one by one, since there were few when several were asked for. */
    let single = 0;
    const one: Leasable<readonly Claimed[]> = {
      isDue: (...given) => store.isDue(collection, ...given),
      async claim(...given) {
        if (inHand >= inHandOfBacklog && single === 0) {
          const several = await store.claimSome(collection, ...given, documentsAtOnce);
          if ((several?.length ?? 0) < fewestTogether) single = documentsAtOnce;
          return several;
        }
        single = Math.max(0, single - 1);
        const claimed = await store.claim(collection, ...given);
        return claimed && [claimed];
      },
    };
    return {
      async claim(): Promise<Claimed | undefined> {
        if (ahead.length === 0 || now().getTime() > goodUntil) {
          goodUntil = now().getTime() + leaseMilliseconds / 2;
          ahead = (await presence.claim(one, leaseMilliseconds, now)) ?? [];
          for (let others = ahead.length - 1; others > 0; others -= 1) claimAgain();
        }
        const [first, ...others] = ahead;
        ahead = others;
        return first;
      },
      async work(claimed: Claimed): Promise<boolean> {
        inHand += 1;
        try {
          return await send(claimed);
        } finally {
          inHand -= 1;
        }
      },
    };
  }

  const pumps = collections.map((collection) => {
    const pump: Pump = createPump({
      ...createClaims(collection, () => pump.nudgeOnce()),
      onError: (error) => logger.warn('An outbox could not be read or updated', { collection, error }),
      atOnce: documentsAtOnce,
    });
    return pump;
  });
  const nudge = (collection?: string) =>
    pumps.forEach((pump, index) => {
      if (collection === collections[index]) pump.nudgeOnce();
      else if (collection === undefined) pump.nudge();
    });

  presence.onGone(() => nudge());

  let started = false;
  return {
    nudge,
    ensureIndexes: () => ensureOutboxIndexes(connection, collections),
    start() {
      if (started || stopped) return;
      started = true;
      for (const name of collections) outboxes.set(name, () => store.countWaiting(name));
      pumps.forEach((pump) => pump.start(pollMilliseconds));
    },
    async stop() {
      stopped = true;
      for (const name of collections) outboxes.delete(name);
      await Promise.all(pumps.map((pump) => pump.stop()));
    },
  };
}
