import { formatSize, formatMoment, formatNumber, fromField, toField, writeFor } from './formats';

const at = '2026-11-24T05:47:12Z';
const asBrowser = { locale: 'en', timeZone: 'UTC' };
afterEach(() => writeFor(asBrowser));

test("times and numbers have the person's format and time zone", () => {
  writeFor({ locale: 'nl-NL', timeZone: 'Europe/Amsterdam' });
  expect(formatMoment(at, 'moment')).toBe('24 nov 2026, 06:47:12');
  expect(formatMoment(at, 'time')).toBe('06:47');
  expect(formatNumber(4_991)).toBe('4.991');
  writeFor({ locale: 'en-US', timeZone: 'America/New_York' });
  expect(formatMoment(at, 'dayAndTime')).toBe('Nov 24, 12:47 AM');
  expect(formatNumber(4_991)).toBe('4,991');
});

test.each([
  ['nothing', { locale: null, timeZone: null }],
  ['what the platform gives to who chose nothing', asBrowser],
  ['what this browser does not know', { locale: 'no-such-language-tag', timeZone: 'Mars/Olympus_Mons' }],
])("with %s the browser's format is used", (_name, person) => {
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const expected = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  writeFor({ locale: 'nl-NL', timeZone: 'Europe/Amsterdam' });
  writeFor(person);
  expect(formatMoment(at, 'moment')).toBe(expected.format(new Date(at)));
});

test('days of the platform begin at midnight UTC, in any time zone of the person', () => {
  writeFor({ locale: 'en-GB', timeZone: 'America/New_York' });
  expect(formatMoment('2026-11-24T00:00:00Z', 'dayInUtc')).toBe('24 Nov');
});

test.each([
  ['Europe/Amsterdam', '2026-11-24T05:47:00.000Z', '2026-11-24T06:47'],
  ['America/New_York', '2026-11-24T03:00:00.000Z', '2026-11-23T22:00'],
  ['Asia/Kathmandu', '2026-07-01T12:00:00.000Z', '2026-07-01T17:45'],
  // The nights of the clock changes: in autumn after the change, in spring before it.
  ['Europe/Amsterdam', '2026-10-25T02:30:00.000Z', '2026-10-25T03:30'],
  ['Europe/Amsterdam', '2026-03-29T00:30:00.000Z', '2026-03-29T01:30'],
  ['America/New_York', '2026-03-08T07:30:00.000Z', '2026-03-08T03:30'],
])('a field in %s round-trips its time: %s is %s', (timeZone, moment, text) => {
  writeFor({ locale: 'ar-EG', timeZone });
  expect(toField(new Date(moment))).toBe(text);
  expect(fromField(text)?.toISOString()).toBe(moment);
});

test('an invalid date and time is undefined', () => {
  expect(fromField('')).toBeUndefined();
  expect(fromField('2026-11-24T')).toBeUndefined();
});

test('sizes are written in three digits', () => {
  expect([0, 16, 999, 1_000, 1_440, 12_345, 1_400_000, 20_000_000, 3e9].map(formatSize)).toEqual([
    '0 bytes',
    '16 bytes',
    '999 bytes',
    '1 KB',
    '1.4 KB',
    '12 KB',
    '1.4 MB',
    '20 MB',
    '3 GB',
  ]);
});
