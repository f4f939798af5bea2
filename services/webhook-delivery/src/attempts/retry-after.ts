const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const time = String.raw`(?<hours>\d{2}):(?<minutes>\d{2}):(?<seconds>\d{2})`;

/** The three forms of an HTTP date (RFC 9110 §5.6.7), with years that may be longer than the four digits it knows. */
const forms = [
  String.raw`\w{3}, (?<day>\d{2}) (?<month>\w{3}) (?<year>\d{4,}) ${time} GMT`,
  String.raw`\w{6,9}, (?<day>\d{2})-(?<month>\w{3})-(?<year>\d{2}) ${time} GMT`,
  String.raw`\w{3} (?<month>\w{3}) (?<day>[ \d]\d) ${time} (?<year>\d{4,})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Milliseconds from `now` that `Retry-After` asks to wait (RFC 9110 §10.2.3): seconds or an HTTP date. Never less than
 * zero, and without an upper limit: `Infinity` for what is beyond all times. Undefined for anything else.
 */
export function parseRetryAfter(text: string | undefined, now: Date): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const at = parseDate(value, now);
  return at === undefined ? undefined : Math.max(0, at - now.getTime());
}

function parseDate(text: string, now: Date): number | undefined {
  const parts = forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  const month = months.indexOf(parts?.['month'] ?? '');
  if (!parts || month < 0) return undefined;
  const number = (name: string) => Number(parts[name]);
  const year = parts['year']?.length === 2 ? fullYear(number('year'), now) : number('year');
  const at = new Date(0);
  at.setUTCFullYear(year, month, number('day'));
  at.setUTCHours(number('hours'), number('minutes'), number('seconds'));
  return Number.isNaN(at.getTime()) ? Infinity : at.getTime();
}

/** A year of two digits is never more than 50 years ahead (RFC 9110 §5.6.7). */
function fullYear(digits: number, now: Date): number {
  const present = now.getUTCFullYear();
  const inThisCentury = present - (present % 100) + digits;
  return inThisCentury > present + 50 ? inThisCentury - 100 : inThisCentury;
}
