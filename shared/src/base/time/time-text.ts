import { offsetOfZone } from './zone-offset';

/** A parsed text, or why it is no time, as the end of a sentence whose subject is the field. */
export type ParsedTime = { readonly time: Date } | { readonly problem: TimeProblem };

const form = /^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?([Zz]|[+-]\d\d:\d\d)?)?$/;

/** Why a text is no time or no day. */
export const timeProblems = {
  form: 'is not a time such as 2026-03-18T19:04:06Z',
  dayForm: 'is not a date such as 2026-03-18',
  day: 'is not a date',
  clock: 'has hours, minutes or seconds that no clock shows',
  missingClock: 'has no time of day, such as T19:04:06Z',
  offset: 'has no offset, such as Z or +01:00',
  years: 'is not within the years 0001 to 9999 of UTC',
} as const;

type TimeProblem = (typeof timeProblems)[keyof typeof timeProblems];

const first = new Date('0001-01-01T00:00:00Z');
const last = new Date('9999-12-31T23:59:59.999Z');

/**
 * Parses a time of ISO 8601 in the form of RFC 3339: a day of the calendar, hours and minutes, seconds and up to nine
 * digits of their fraction if there are any (cut to milliseconds), and an offset or `Z`. In UTC it is within the years
 * 0001 to 9999. There are no leap seconds and no 24:00. With `zone`, a time without offset is that of the zone.
 */
export function parseTime(text: string, zone?: string): ParsedTime {
  const [, day, hours, minutes, seconds = '00', fraction = '', offset] = form.exec(text) ?? [];
  if (day === undefined) return { problem: timeProblems.form };
  if (!isDay(day)) return { problem: timeProblems.day };
  if (hours === undefined || minutes === undefined) return { problem: timeProblems.missingClock };
  if (!isClock(hours, minutes) || seconds > '59') return { problem: timeProblems.clock };
  const wall = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  const ahead = offset === undefined ? zone && offsetOfZone(zone, wall) : minutesOf(offset) * 60_000;
  if (ahead === undefined || ahead === '') return { problem: timeProblems.offset };
  if (Number.isNaN(ahead)) return { problem: timeProblems.clock };
  const time = new Date(wall - ahead);
  return time < first || time > last ? { problem: timeProblems.years } : { time };
}

/** Parses a day of the calendar in the years 0001 to 9999, such as `2026-03-18`, as its midnight in UTC. */
export function parseDay(text: string): ParsedTime {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return { problem: timeProblems.dayForm };
  if (!isDay(text)) return { problem: timeProblems.day };
  return text < '0001' ? { problem: timeProblems.years } : { time: new Date(text) };
}

/** The time of a text that this platform has written, such as a member of a message; throws for any other text. */
export function readTime(text: string): Date {
  const parsed = parseTime(text);
  if ('problem' in parsed) throw new RangeError(`${text} ${parsed.problem}`);
  return parsed.time;
}

/**
 * Writes a time as `parseTime` reads it, in UTC, with milliseconds if there are any. A time outside the years 0001 to
 * 9999 is written as the nearest that is within. Throws a `RangeError` for an invalid date.
 */
export const writeTime = (time: Date): string => within(time).toISOString().replace('.000Z', 'Z');

/** Writes the day of a time in UTC as `parseDay` reads it. */
export const writeDay = (time: Date): string => within(time).toISOString().slice(0, 10);

function within(time: Date): Date {
  if (time < first) return first;
  return time > last ? last : time;
}

/** Whether the calendar has the day. JavaScript would turn the 30th of February into the second of March. */
function isDay(day: string): boolean {
  const midnight = Date.parse(day);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}

const isClock = (hours: string, minutes: string): boolean => hours <= '23' && minutes <= '59';

/** The minutes of an offset such as `+01:00`; NaN if no clock shows them. */
function minutesOf(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const [hours = '', minutes = ''] = offset.slice(1).split(':');
  if (!isClock(hours, minutes)) return Number.NaN;
  const size = Number(hours) * 60 + Number(minutes);
  return offset.startsWith('-') ? -size : size;
}
