import { randomUUID } from 'node:crypto';
import { attemptsFinished } from '@itsm/shared/contracts/deliveries';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import { toAttemptFinished } from '../deliveries/attempt.message';
import type { Recorded, Result, ResultRepository } from '../deliveries/delivery-result.repository';

interface Dependencies {
  readonly results: ResultRepository;
  readonly broker: Pick<Broker, 'publish'>;
  /** Has waiting messages sent at once. */
  readonly nudge: () => void;
  /** How long results wait for others to share write and message with. */
  readonly gatherMilliseconds: number;
}

/** Writes how an attempt ended, as `result` says at that moment, and reports it; it may be given again when that failed. */
export type Recorder = (result: () => Result) => Promise<Recorded>;

const patienceWithBroker = 1_000;

/**
 * Results that come at about the same time share one write, and those that delivered one message. That message goes out
 * before the write: should we end in between, the attempts are made and reported again, and nothing is lost. Everything
 * else, and what the broker does not take in time, goes through the outbox.
 */
export function createRecorder({ results, broker, nudge, gatherMilliseconds }: Dependencies): Recorder {
  const reported = new WeakSet<() => Result>();

  async function report(delivered: readonly (() => Result)[]): Promise<void> {
    if (delivered.length === 0) return;
    const attempts = delivered.map((result) => {
      const { delivery, attempt, now } = result();
      return toAttemptFinished(delivery, attempt, null, now);
    });
    if (await inTime(broker.publish(attemptsFinished, { attempts }, randomUUID())))
      for (const result of delivered) reported.add(result);
  }

  return createBatcher<() => Result, Recorded>(
    async (batch) => {
      await report(batch.filter((result) => result().verdict.kind === 'delivered' && !reported.has(result)));
      const recorded = await results.record(batch.map((result) => ({ ...result(), published: reported.has(result) })));
      if (!batch.every((result) => reported.has(result))) nudge();
      return recorded;
    },
    { gatherMilliseconds },
  );
}

/** Whether it was published before our patience ended. */
function inTime(publishing: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, patienceWithBroker, false);
    const heard = (published: boolean) => {
      clearTimeout(late);
      resolve(published);
    };
    publishing.then(
      () => heard(true),
      () => heard(false),
    );
  });
}
