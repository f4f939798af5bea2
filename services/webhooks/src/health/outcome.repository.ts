import type { Connection } from 'mongoose';
import type { AttemptFinished } from '@itsm/shared/contracts/deliveries';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { createGroupInsert } from '@itsm/shared/stores/mongo/group-insert';
import { createNewerSaver } from '@itsm/shared/stores/mongo/save-newer';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

type End = Readonly<Pick<AttemptFinished, 'outcome' | 'fault' | 'status' | 'error' | 'final'>>;

/** The outcome of the last attempt of a delivery. */
export interface DeliveryOutcome extends End {
  readonly deliveryId: string;
  readonly attempts: number;
  readonly at: Date;
  readonly nextAttemptAt: Date | null;
}

/** The outcome of each delivery's last attempt, kept for 30 days. */
export interface OutcomeRepository {
  ensureIndexes(): Promise<void>;
  /** Idempotent and independent of order: the attempt with the highest number wins. */
  note(attempt: AttemptFinished): Promise<void>;
  find(accountId: string, deliveryId: string): Promise<DeliveryOutcome | undefined>;
}

type OutcomeDocument = Omit<DeliveryOutcome, 'deliveryId' | 'attempts'> & {
  readonly _id: string;
  readonly accountId: string;
  readonly version: number;
};

type NewOutcome = Omit<OutcomeDocument, '_id'> & { readonly id: string };

const keptSeconds = 30 * 24 * 60 * 60;

export function createOutcomeRepository(connection: Connection): OutcomeRepository {
  const outcomes = connection.collection<OutcomeDocument>('delivery_outcomes');
  const add = createGroupInsert(outcomes);
  const save = createNewerSaver<NewOutcome>(connection, 'delivery_outcomes');
  return {
    async ensureIndexes() {
      await ensureIndex(outcomes, { at: 1 }, { name: 'kept_30_days', expireAfterSeconds: keptSeconds });
    },
    async note({ deliveryId, accountId, attempt, at, outcome, fault, status, error, final, nextAttemptAt = null }) {
      const ended = { at: new Date(at), outcome, fault, status, error, final };
      const next = { nextAttemptAt: nextAttemptAt === null ? null : new Date(nextAttemptAt) };
      const noted = { version: attempt, accountId, ...ended, ...next };
      if (attempt > 1) return save({ id: deliveryId, ...noted });
      // Insert first: most deliveries have one attempt and no stored outcome, and an insert is cheaper than a read before it.
      await unlessTaken(add({ _id: deliveryId, ...noted }));
    },
    async find(accountId, deliveryId) {
      const found = await outcomes.findOne({ _id: deliveryId, accountId });
      if (!found) return undefined;
      const { _id, version, at, outcome, fault, status, error, final, nextAttemptAt } = found;
      return { deliveryId: _id, attempts: version, at, outcome, fault, status, error, final, nextAttemptAt };
    },
  };
}
