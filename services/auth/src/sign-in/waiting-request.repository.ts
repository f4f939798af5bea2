import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { AuthorizationRequest } from './authorization-request';

/** An authorization request of a person who has to sign in first. */
export interface WaitingRequest {
  readonly id: string;
  readonly request: AuthorizationRequest;
  readonly expiresAt: Date;
}

type WaitingRequestDocument = Omit<WaitingRequest, 'id'> & { readonly _id: string };

/** Of the whole installation, as the person is not known yet; the id is all that leads to a request. */
export interface WaitingRequestRepository {
  insert(waiting: WaitingRequest): Promise<void>;
  find(id: string, now: Date): Promise<AuthorizationRequest | undefined>;
}

/** Writes that need not outlive the failure of a node. */
export const forgettable = { insert: 'the application sends the person again' };

const schema = new Schema<WaitingRequestDocument>(
  {
    _id: String,
    request: { type: Schema.Types.Mixed, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'waiting_requests', versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createWaitingRequestRepository(connection: Connection): WaitingRequestRepository {
  const waitingRequests = connection.model<WaitingRequestDocument>('WaitingRequest', schema);
  return {
    async insert({ id, ...fields }) {
      await waitingRequests.create({ _id: id, ...fields });
    },
    async find(id, now) {
      const found = await waitingRequests.findOne({ _id: id, expiresAt: { $gt: now } }).lean();
      return found?.request;
    },
  };
}
