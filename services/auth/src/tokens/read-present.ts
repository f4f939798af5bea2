import { AppError } from '@itsm/shared/base/errors/app-error';
import { electionMilliseconds } from '@itsm/shared/stores/mongo/connect-mongo';
import { mongo } from 'mongoose';
import type { Collection } from 'mongoose';

const maxTimeExpired = 50;

/**
 * Reads what says whether a token counts. Afterwards the server has a majority confirm that it is still the primary: one that
 * was cut off from the others and does not know of its successor yet would return tokens as they were before they were
 * revoked ("linearizable" read concern). Without a majority this is a 503.
 */
export async function readPresent<Found extends object>(
  collection: Collection,
  stages: readonly object[],
): Promise<Found[]> {
  try {
    const present = { readConcern: { level: 'linearizable' }, maxTimeMS: electionMilliseconds } as const;
    return await collection.aggregate<Found>([...stages], present).toArray();
  } catch (error) {
    const hasNoMajority = error instanceof mongo.MongoServerError && error.code === maxTimeExpired;
    throw hasNoMajority ? new AppError('service_unavailable', 'Service Unavailable') : error;
  }
}
