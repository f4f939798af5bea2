const dayMilliseconds = 86_400_000;

/**
 * By how many milliseconds the clocks of a time zone are ahead of UTC when they show `wall`, which is given as if it
 * were UTC. A time that they show twice is the first; one that they skip counts from before the change. Undefined for
 * an unknown zone.
 */
export function offsetOfZone(zone: string, wall: number): number | undefined {
  const format = formatOf(zone);
  if (!format) return undefined;
  const before = offsetAt(format, wall - dayMilliseconds);
  const after = offsetAt(format, wall + dayMilliseconds);
  const isBefore = offsetAt(format, wall - before) === before;
  return isBefore || offsetAt(format, wall - after) !== after ? before : after;
}

/** The last zone with its format: the cells of a file are all of one zone, and making a format is slow. */
let made: { readonly zone: string; readonly format: Intl.DateTimeFormat | undefined } | undefined;

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (made?.zone !== zone) made = { zone, format: makeFormat(zone) };
  return made.format;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

function offsetAt(format: Intl.DateTimeFormat, time: number): number {
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}
