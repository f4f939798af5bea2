import { mongo } from 'mongoose';
import { bulkRefusals, duplicatesIn } from './bulk-refusals';

/** An error of a driver that reports write errors and a write concern error together. */
function errorWith(writeConcernError?: object): mongo.MongoBulkWriteError {
  const writeErrors = [{ index: 1, code: 11_000, errmsg: 'E11000 duplicate key' }];
  const result = { getWriteConcernError: () => writeConcernError };
  return new mongo.MongoBulkWriteError({ message: 'refused', code: 11_000, writeErrors } as never, result as never);
}

test('an error with duplicates alone identifies the documents', () => {
  expect([...(bulkRefusals(errorWith())?.keys() ?? [])]).toEqual([1]);
  expect(duplicatesIn(errorWith())).toEqual([1]);
});

test('duplicates beside a write concern error are not relied on', () => {
  const error = errorWith({ code: 64, errmsg: 'waiting for replication timed out' });
  expect(bulkRefusals(error)).toBeUndefined();
  expect(() => duplicatesIn(error)).toThrow(error);
});
