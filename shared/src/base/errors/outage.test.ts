import { AppError, badRequest, insufficientStorage } from './app-error';
import { isOutage, isStoreFull, outageRefusal } from './outage';

const named = (name: string, cause?: unknown): Error => Object.assign(new Error('x', { cause }), { name });

/** The driver's error for a bulk write whose write concern failed. */
const leftBehind = (code: number): Error => Object.assign(named('MongoBulkWriteError'), { code, writeErrors: [] });

test.each([
  ['the network', named('MongoNetworkError'), true],
  ['no server to be selected', named('MongoServerSelectionError'), true],
  ['a cause of that kind', new Error('failed', { cause: named('MongoNetworkTimeoutError') }), true],
  [
    'a group of writes that it ended',
    Object.assign(named('MongoBulkWriteError'), { errorResponse: named('MongoNetworkError') }),
    true,
  ],
  ['connections that the driver gave up', named('PoolClearedOnNetworkError'), true],
  ['no connection that is free', named('MongoWaitQueueTimeoutError'), true],
  ['a server that is not the primary any more', Object.assign(named('MongoServerError'), { code: 10_107 }), true],
  [
    'a write that its primary left before a majority had it',
    Object.assign(named('MongoWriteConcernError'), { code: 189 }),
    true,
  ],
  ['writes that their primary left before a majority had them', leftBehind(11_602), true],
  ['writes that too few nodes have for another reason', leftBehind(100), false],
  ['a unique value that is taken', Object.assign(named('MongoServerError'), { code: 11_000 }), false],
  ['the broker out of reach', new AppError('service_unavailable', 'x'), true],
  ['a refused write', named('MongoServerError'), false],
  ['a refusal of ours', badRequest('x'), false],
  ['a bug', new TypeError('x'), false],
  ['no error at all', 'MongoNetworkError', false],
])('%s', (_what, error, expected) => {
  expect(isOutage(error)).toBe(expected);
});

const serverError = (code: number, message = 'x'): Error =>
  Object.assign(new Error(message), { name: 'MongoServerError', code });

test.each([
  ['a code of no space', serverError(14_031), true],
  ['the entry of a group of writes', Object.assign(new Error('x'), { code: 14_031 }), true],
  ['a cause of that kind', new Error('failed', { cause: serverError(14_031) }), true],
  [
    'a group of writes that it ended',
    Object.assign(named('MongoBulkWriteError'), { errorResponse: serverError(14_031) }),
    true,
  ],
  ["the system's error from the storage engine", serverError(8, '28: No space left on device'), true],
  ['another unknown error', serverError(8, '5: Input/output error'), false],
  ['our refusal for it', insufficientStorage(), true],
  ['an outage', named('MongoNetworkError'), false],
  ['a refusal because of it', new AppError('service_unavailable', 'x'), false],
  ['a unique value that is taken', serverError(11_000), false],
])('full: %s', (_what, error, expected) => {
  expect(isStoreFull(error)).toBe(expected);
  if (!expected) return;
  expect(isOutage(error)).toBe(true);
  expect(outageRefusal(error)).toMatchObject({ code: 'insufficient_storage', details: {} });
});

test('a cycle of causes terminates', () => {
  const circle = new Error('x');
  circle.cause = circle;
  expect(isOutage(circle)).toBe(false);
});
