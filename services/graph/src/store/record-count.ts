import { oncePerCall } from '@itsm/shared/base/concurrency/present-call';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { mongo } from 'mongoose';
import type { Model } from 'mongoose';
import type { RecordType } from '../record-types/record-type';
import { createRecordCounts } from './record-counts.repository';
import { farStep, planSearch, quickSteps } from './record-search';
import { toWhere } from './record-selection';
import type { Selection } from './record-selection';
import type { RecordDocument } from './record.document';
import { unlessExpired, within } from './time-left';

const tooManyToCount = 'Too many records match to be counted in time; ask without the total, or narrow the filter';

/**
 * Counts records by the counts that writes keep, or else in an index; 400 when that takes longer than `milliseconds`.
 * The result is exact.
 */
export function createRecordCount(
  model: Model<RecordDocument>,
  type: RecordType,
  milliseconds: number,
): (accountId: string, selection: Selection) => Promise<number> {
  const connection = model.db;
  const counts = createRecordCounts(connection, type);

  const countInIndex = (accountId: string, asked: Selection): Promise<number> =>
    readForCaller(connection, 'heavy', async (options) => {
      const left = within(milliseconds, options);
      const how = { steps: [...quickSteps, farStep], within: left };
      const counted = await unlessExpired(async () => {
        const { selection, hint } = await planSearch(model, type, accountId, asked, how);
        return model.countDocuments(toWhere(type, accountId, selection), { ...left(), ...hint });
      });
      if (counted === undefined) throw badRequest(tooManyToCount);
      return counted;
    });

  const readCounts = (accountId: string, selection: Selection): Promise<number | undefined> =>
    readForCaller(connection, 'light', (options) => counts.count(accountId, selection, options));

  // Without this, every alias of the field would count again.
  return (accountId, selection) =>
    oncePerCall(
      `count ${type.name} ${mongo.BSON.EJSON.stringify(toWhere(type, accountId, selection))}`,
      async () => (await readCounts(accountId, selection)) ?? countInIndex(accountId, selection),
    );
}
