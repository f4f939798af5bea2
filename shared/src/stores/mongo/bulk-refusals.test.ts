import { mongo } from 'mongoose';
import { bulkRefusals, duplicatesIn } from './bulk-refusals';

/** As a driver throws it that hands on what the server says against single documents also beside the write concern. */
function errorWith(writeConcernError?: object): mongo.MongoBulkWriteError {
  const writeErrors = [{ index: 1, code: 11_000, errmsg: 'E11000 duplicate key' }];
  const result = { getWriteConcernError: () => writeConcernError };
  return new mongo.MongoBulkWriteError({ message: 'refused', code: 11_000, writeErrors } as never, result as never);
}

test('duplicates are known from an error that says nothing else', () => {
  expect([...(bulkRefusals(errorWith())?.keys() ?? [])]).toEqual([1]);
  expect(duplicatesIn(errorWith())).toEqual([1]);
});

test('duplicates in an error that also says that too few nodes have the write are not relied on', () => {
  const error = errorWith({ code: 64, errmsg: 'waiting for replication timed out' });
  expect(bulkRefusals(error)).toBeUndefined();
  expect(() => duplicatesIn(error)).toThrow(error);
});
