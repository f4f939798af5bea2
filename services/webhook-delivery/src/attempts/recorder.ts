import { randomUUID } from 'node:crypto';
import { attemptsFinished } from '@itsm/shared/contracts/deliveries';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import { toAttemptFinished } from '../deliveries/attempt.message';
import type { Recorded, Result, ResultRepository } from '../deliveries/delivery-result.repository';

interface Dependencies {
  readonly results: ResultRepository;
  readonly broker: Pick<Broker, 'publish'>;
  /** Makes the outbox send waiting messages at once. */
  readonly nudge: () => void;
  /** How long a result waits to be batched with others, in one write and one message. */
  readonly gatherMilliseconds: number;
}

/**
 * Writes and publishes the result of an attempt. `result` is called at the time of the write. Idempotent: after a
 * failure it can be called again.
 */
export type Recorder = (result: () => Result) => Promise<Recorded>;

const patienceWithBroker = 1_000;

/**
 * Batches results that arrive at about the same time into one write, and the successful ones into one message. That
 * message is published before the write: if the process dies in between, the attempts are repeated and reported again,
 * and nothing is lost. All other messages, and those that the broker does not confirm in time, go through the outbox.
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

/** Whether the broker confirmed it in time. */
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
