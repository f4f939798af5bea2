import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { AuthorizationRequest } from './authorization-request';

/** An authorization request of a person who has to sign in first. */
export interface WaitingRequest {
  readonly id: string;
  readonly request: AuthorizationRequest;
  /** The network that it came from: such requests need no credentials. */
  readonly network: string;
  readonly expiresAt: Date;
}

/** Of one network, and of the whole installation; the oldest of more go. */
export const mostWaiting = { network: 20, overall: 10_000 } as const;

type WaitingRequestDocument = Omit<WaitingRequest, 'id'> & { readonly _id: string };

/** Of the whole installation, as the person is not known yet; the id is all that leads to a request. */
export interface WaitingRequestRepository {
  /** Takes the oldest away when there are more of its network, or of all, than may wait. */
  insert(waiting: WaitingRequest): Promise<void>;
  find(id: string, now: Date): Promise<AuthorizationRequest | undefined>;
}

/** Writes that need not outlive the failure of a node. */
export const forgettable = { insert: 'the application sends the person again' };

const schema = new Schema<WaitingRequestDocument>(
  {
    _id: String,
    request: { type: Schema.Types.Mixed, required: true },
    network: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'waiting_requests', versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ network: 1, expiresAt: -1 });

export function createWaitingRequestRepository(connection: Connection): WaitingRequestRepository {
  const waitingRequests = connection.model<WaitingRequestDocument>('WaitingRequest', schema);
  async function remove(found: readonly { readonly _id: string }[]): Promise<void> {
    if (found.length > 0) await waitingRequests.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  }

  return {
    async insert({ id, ...fields }) {
      await waitingRequests.create({ _id: id, ...fields });
      const { network } = fields;
      const ofNetwork = waitingRequests.find({ network }, { _id: 1 }).sort({ expiresAt: -1 });
      await remove(await ofNetwork.skip(mostWaiting.network).lean());
      const beyond = (await waitingRequests.estimatedDocumentCount()) - mostWaiting.overall;
      if (beyond > 0)
        await remove(await waitingRequests.find({}, { _id: 1 }).sort({ expiresAt: 1 }).limit(beyond).lean());
    },
    async find(id, now) {
      const found = await waitingRequests.findOne({ _id: id, expiresAt: { $gt: now } }).lean();
      return found?.request;
    },
  };
}
