import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { leasing } from '@itsm/shared/stores/presence/presence';
import type { Leasable } from '@itsm/shared/stores/presence/presence';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { Reader } from './notice.repository';

/** A mail that was sent, by the record it was about; for several it is empty. */
export interface SentMail {
  readonly record: string;
  readonly at: Date;
}

/** The mails to one person about an account. One process at a time sends them, so that their bounds hold. */
export interface MailTurn extends Reader {
  /** How often a notice has asked for a mail; another one since means that there is more to look for. */
  readonly armed: number;
  /** The latest mails, as far as bounds count them. */
  readonly sent: readonly SentMail[];
  /** Whether the bound of an hour was reached: what waits becomes one mail. */
  readonly isHeld: boolean;
  readonly owner: string;
}

interface MailTurnDocument extends Omit<MailTurn, 'owner'> {
  readonly _id: string;
  /** Absent while nothing waits. */
  readonly dueAt?: Date;
  readonly owner?: string;
  readonly armedAt: Date;
}

export interface MailTurnRepository extends Leasable<MailTurn> {
  ensureIndexes(): Promise<void>;
  /** A notice of the person waits for a mail. */
  arm(reader: Reader, dueAt: Date): Promise<void>;
  /** Keeps what was sent, while the lease is held. */
  keep(turn: MailTurn): Promise<void>;
  /** Ends the lease; false when another notice has asked for a mail since, or when the lease is lost. */
  release(turn: MailTurn, dueAt: Date | undefined): Promise<boolean>;
  /** The turn as it is now; undefined when its lease is lost. */
  find(turn: MailTurn): Promise<MailTurn | undefined>;
}

/** As long as there may be notices. */
const keptSeconds = 90 * 24 * 60 * 60;

const schema = new Schema<MailTurnDocument>(
  {
    _id: String,
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    armed: { type: Number, required: true },
    sent: { type: [{ _id: false, record: String, at: Date }], required: true },
    isHeld: { type: Boolean, required: true },
    armedAt: { type: Date, required: true },
    dueAt: Date,
    owner: String,
  },
  { collection: 'notice_mails', versionKey: false, writeConcern: durable },
);
schema.index({ dueAt: 1 });
schema.index({ armedAt: 1 }, { expireAfterSeconds: keptSeconds });

const keyOf = ({ accountId, personId }: Reader) => ({ accountId, _id: `${accountId}/${personId}` });

export function createMailTurnRepository(connection: Connection): MailTurnRepository {
  const turns = connection.model<MailTurnDocument>('NoticeMail', schema);
  const leased = leasing(turns, toTurn);
  return {
    isDue: (now, gone) => leased.isDue(now, gone),
    async claim(now, gone, lease) {
      const turn = await leased.claim(now, gone, lease);
      return turn && { ...turn, owner: lease.owner };
    },
    async ensureIndexes() {
      await turns.createIndexes();
    },
    async arm(reader, dueAt) {
      const { personId } = reader;
      const begin = { personId, sent: [], isHeld: false };
      const waiting = { $inc: { armed: 1 }, $min: { dueAt }, $set: { armedAt: dueAt }, $setOnInsert: begin };
      const again = { $inc: { armed: 1 }, $set: { armedAt: dueAt } };
      const free = { ...keyOf(reader), owner: { $exists: false } };
      // Each step fails only by what another process did meanwhile, and then the other one succeeds.
      for (;;) {
        if (await unlessTaken(turns.updateOne(free, waiting, { upsert: true }))) return;
        const { matchedCount } = await turns.updateOne({ ...keyOf(reader), owner: { $exists: true } }, again);
        if (matchedCount > 0) return;
      }
    },
    async keep({ owner, sent, isHeld, ...reader }) {
      await turns.updateOne({ ...keyOf(reader), owner }, { $set: { sent, isHeld } });
    },
    async release({ owner, armed, ...reader }, dueAt) {
      const next = dueAt ? { $set: { dueAt }, $unset: { owner: '' } } : { $unset: { owner: '', dueAt: '' } };
      return (await turns.updateOne({ ...keyOf(reader), owner, armed }, next)).matchedCount > 0;
    },
    async find({ owner, ...reader }) {
      const found = await turns.findOne({ ...keyOf(reader), owner }).lean();
      return found ? toTurn(found) : undefined;
    },
  };
}

const toTurn = ({ accountId, personId, armed, sent, isHeld, owner = '' }: MailTurnDocument): MailTurn => ({
  accountId,
  personId,
  armed,
  sent,
  isHeld,
  owner,
});
