import { startPlatform } from '../testing/platform';
import type { Platform } from '../testing/platform';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { parseRetryAfter } from './retry-after';

const now = new Date('2026-11-26T10:00:00.000Z');
const hour = 3_600_000;

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 120 ', 120_000],
  ['999999999', 999_999_999_000],
  ['9999999999', 9_999_999_999_000],
  ['9'.repeat(400), Infinity],
  ['Thu, 26 Nov 2026 12:00:00 GMT', 2 * hour],
  ['Thursday, 26-Nov-26 12:00:00 GMT', 2 * hour],
  ['Thu Nov 26 12:00:00 2026', 2 * hour],
  ['Sun Dec  6 10:00:00 2026', 240 * hour],
  ['Fri, 31 Dec 9999 23:59:59 GMT', Date.UTC(9999, 11, 31, 23, 59, 59) - now.getTime()],
  ['Fri, 31 Dec 99999 23:59:59 GMT', Date.UTC(99_999, 11, 31, 23, 59, 59) - now.getTime()],
  ['Fri, 31 Dec 9999999 23:59:59 GMT', Infinity],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Mon, 01 Jan 0001 00:00:00 GMT', 0],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
] as const)('%j asks for %d milliseconds', (text, milliseconds) => {
  expect(parseRetryAfter(text, now)).toBe(milliseconds);
});

test.each([undefined, '', ' ', '-5', '+5', '1.5', '1e9', '0x10', '5 seconds', '1, 2', 'soon', '3000-1', '12/31/9999'])(
  '%j is neither seconds nor a date',
  (text) => expect(parseRetryAfter(text, now)).toBeUndefined(),
);

describe('a receiver that is busy', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());

  test.each([
    ['9999999999', 24 * hour],
    ['9'.repeat(400), 24 * hour],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 24 * hour],
    ['7200', 2 * hour],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 5_000],
    ['-7200', 5_000],
    ['7200.5', 5_000],
    ['', 5_000],
  ])('and says Retry-After: %j is called again after %d milliseconds', async (text, milliseconds) => {
    const receiver = await platform.receiver((res) => res.setHeader('Retry-After', text).writeHead(503).end());
    const service = await platform.start();
    const { deliveryId } = await service.request(receiver.uri);
    await waitUntil('the result', () => service.results.length === 1);
    const { dueAt } = await service.stored(deliveryId);
    expect((dueAt?.getTime() ?? 0) - service.now().getTime()).toBe(milliseconds);
    await platform.clear();
  });
});
