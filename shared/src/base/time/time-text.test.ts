import fc from 'fast-check';
import { parseDay, parseTime, readTime, writeDay, writeTime } from './time-text';

const timeOf = (text: string, zone?: string): string => {
  const parsed = parseTime(text, zone);
  return 'time' in parsed ? parsed.time.toISOString() : parsed.problem;
};

test.each([
  ['2026-03-18T19:04:06Z', '2026-03-18T19:04:06.000Z'],
  ['2026-03-18T19:04Z', '2026-03-18T19:04:00.000Z'],
  ['2026-03-18t19:04:06.5z', '2026-03-18T19:04:06.500Z'],
  ['2026-03-18T19:04:06.123999999+05:45', '2026-03-18T13:19:06.123Z'],
  ['2026-03-18T19:04:06-00:00', '2026-03-18T19:04:06.000Z'],
  ['2024-02-29T00:00:00+23:59', '2024-02-28T00:01:00.000Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01T00:00:00-01:00', '0001-01-01T01:00:00.000Z'],
  ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
  ['0000-12-31T23:30:00-01:00', '0001-01-01T00:30:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is a time', (text, time) => {
  expect(timeOf(text)).toBe(time);
});

test.each<readonly [string, string]>([
  ['9999-12-31T23:59:59-01:00', 'is not within the years 0001 to 9999 of UTC'],
  ['0001-01-01T00:59:59+01:00', 'is not within the years 0001 to 9999 of UTC'],
  ['0000-06-01T00:00:00Z', 'is not within the years 0001 to 9999 of UTC'],
  ['2026-02-30T10:00:00Z', 'is not a date'],
  ['2025-02-29T10:00:00Z', 'is not a date'],
  ['1900-02-29T10:00:00Z', 'is not a date'],
  ['2026-04-31T10:00:00Z', 'is not a date'],
  ['2026-00-10T10:00:00Z', 'is not a date'],
  ['2026-13-10T10:00:00Z', 'is not a date'],
  ['2026-01-00T10:00:00Z', 'is not a date'],
  ['2026-01-01T10:00:00', 'has no offset, such as Z or +01:00'],
  ['2026-01-01T10:00', 'has no offset, such as Z or +01:00'],
  ['2026-01-01', 'has no time of day, such as T19:04:06Z'],
  ['2026-01-01T24:00:00Z', 'has hours, minutes or seconds that no clock shows'],
  ['2026-01-01T23:60:00Z', 'has hours, minutes or seconds that no clock shows'],
  ['2016-12-31T23:59:60Z', 'has hours, minutes or seconds that no clock shows'],
  ['2026-01-01T10:00:00+24:00', 'has hours, minutes or seconds that no clock shows'],
  ['2026-01-01T10:00:00+01:60', 'has hours, minutes or seconds that no clock shows'],
  ...[
    '',
    ' 2026-01-01T10:00:00Z',
    '2026-01-01T10:00:00Z\n',
    '2026-01-01 10:00:00Z',
    '2026-1-1T10:00:00Z',
    '20260101T100000Z',
    '2026-01-01T10Z',
    '2026-01-01T10:00:00+0100',
    '2026-01-01T10:00:00+01',
    '2026-01-01T10:00:00,5Z',
    '2026-01-01T10:00:00.Z',
    '2026-01-01T10:00:00.1234567890Z',
    '2026-01-01T10:00:00 Z',
    '+002026-01-01T10:00:00Z',
    '-0001-01-01T10:00:00Z',
    '10000-01-01T00:00:00Z',
    '2026-W03-1T10:00:00Z',
    '2026-01-01T10:00:00Z[UTC]',
    '٢٠٢٦-01-01T10:00:00Z',
    'Thu, 01 Jan 2026 10:00:00 GMT',
    '1767261600',
  ].map((text) => [text, 'is not a time such as 2026-03-18T19:04:06Z'] as const),
])('%j is refused: it %s', (text, problem) => {
  expect(timeOf(text)).toBe(problem);
});

test.each([
  ['2026-01-15T12:00', 'Europe/Amsterdam', '2026-01-15T11:00:00.000Z'],
  ['2026-07-15T12:00:30.25', 'Europe/Amsterdam', '2026-07-15T10:00:30.250Z'],
  ['2026-07-15T12:00:00', 'Asia/Kathmandu', '2026-07-15T06:15:00.000Z'],
  ['2026-07-15T12:00:00', 'UTC', '2026-07-15T12:00:00.000Z'],
  // The clocks skip from 2 to 3, and show the hour from 2 to 3 twice.
  ['2026-03-29T02:30:00', 'Europe/Amsterdam', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T01:59:59', 'Europe/Amsterdam', '2026-03-29T00:59:59.000Z'],
  ['2026-03-29T03:00:00', 'Europe/Amsterdam', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T02:30:00', 'Europe/Amsterdam', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:00:00', 'Europe/Amsterdam', '2026-10-25T02:00:00.000Z'],
  ['2026-03-08T02:30:00', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-07-15T12:00:00+02:00', 'America/New_York', '2026-07-15T10:00:00.000Z'],
  ['9999-12-31T23:59:59', 'America/New_York', 'is not within the years 0001 to 9999 of UTC'],
  ['2026-07-15T12:00:00', 'Nowhere/Town', 'has no offset, such as Z or +01:00'],
  ['2026-07-15', 'UTC', 'has no time of day, such as T19:04:06Z'],
])('%s in the zone %s is %s', (text, zone, time) => {
  expect(timeOf(text, zone)).toBe(time);
});

test.each(['0001-01-01', '2024-02-29', '9999-12-31'])('%s is a day', (text) => {
  const parsed = parseDay(text);
  expect('time' in parsed && [parsed.time.toISOString(), writeDay(parsed.time)]).toEqual([
    `${text}T00:00:00.000Z`,
    text,
  ]);
});

test.each([
  '0000-01-01',
  '2026-02-29',
  '2026-02-30',
  '2026-1-01',
  '2026-01-01T00:00:00Z',
  ' 2026-01-01',
  '12026-01-01',
  '',
])('%j is no day', (text) => {
  expect(parseDay(text)).toHaveProperty('problem');
});

const anyTime = fc.date({ noInvalidDate: true });
const writable = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

test('every time that is written can be read, and within the years 0001 to 9999 it is the same', () => {
  fc.assert(
    fc.property(anyTime, (time) => {
      expect(writeTime(readTime(writeTime(time)))).toBe(writeTime(time));
      expect(parseDay(writeDay(time))).toHaveProperty('time');
    }),
  );
  fc.assert(fc.property(writable, (time) => expect(readTime(writeTime(time))).toEqual(time)));
});

test('what is read can be written and read again, with every offset', () => {
  const offset = fc
    .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([sign, hours, minutes]) => `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`);
  fc.assert(
    fc.property(writable, offset, (time, ahead) => {
      const parsed = parseTime(time.toISOString().replace('Z', ahead));
      if ('time' in parsed) expect(readTime(writeTime(parsed.time))).toEqual(parsed.time);
      else expect(parsed.problem).toMatch(/years/);
    }),
  );
});

test('no text makes the parser throw', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (text, zone) => void parseTime(text, zone)));
});
