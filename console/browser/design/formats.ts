/** The person's preferences for numbers and times; undefined uses the browser's. */
interface Reader {
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
}

let reader: Reader = { locale: undefined, timeZone: undefined };
const known = new Map<string, Intl.DateTimeFormat>();
let numbers = new Intl.NumberFormat();

/**
 * Sets the person whose format is used from now on. The platform's defaults (`en`, `UTC`) mean that the person has not
 * chosen; for these, and for values that the browser does not know, the browser's preferences apply.
 */
export function writeFor({
  locale,
  timeZone,
}: {
  readonly locale: string | null;
  readonly timeZone: string | null;
}): void {
  reader = {
    locale: chosen(locale, 'en', (tag) => new Intl.DateTimeFormat(tag)),
    timeZone: chosen(timeZone, 'UTC', (zone) => new Intl.DateTimeFormat('en', { timeZone: zone })),
  };
  known.clear();
  numbers = new Intl.NumberFormat(reader.locale);
}

function chosen(value: string | null, standard: string, use: (value: string) => unknown): string | undefined {
  if (value === null || value === standard) return undefined;
  try {
    use(value);
    return value;
  } catch {
    return undefined;
  }
}

/** "4,991" */
export const formatNumber = (value: number): string => numbers.format(value);

const units = ['bytes', 'KB', 'MB', 'GB'];

/** "16 bytes", "1.4 MB" */
export function formatSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1_000 ** power;
  return `${formatNumber(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))} ${units[power]}`;
}

const styles = {
  /** "24 Nov 2026" */
  day: { dateStyle: 'medium' },
  /** "24 Nov" */
  shortDay: { day: 'numeric', month: 'short' },
  /** "24 Nov, 05:47" */
  dayAndTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  /** "24 Nov 2026, 05:47:12" */
  moment: { dateStyle: 'medium', timeStyle: 'medium' },
  /** The same with the time zone. */
  exact: { dateStyle: 'medium', timeStyle: 'long' },
  /** "05:47" */
  time: { timeStyle: 'short' },
  /** "05:47:12" */
  timeWithSeconds: { timeStyle: 'medium' },
  /** "Tue 05:47" */
  weekdayAndTime: { weekday: 'short', hour: '2-digit', minute: '2-digit' },
  /** "24 Nov", for a day that begins at midnight UTC. */
  dayInUtc: { day: 'numeric', month: 'short', timeZone: 'UTC' },
  /** The machine-readable parts for date and time fields. */
  field: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    calendar: 'iso8601',
    numberingSystem: 'latn',
  },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
export type MomentStyle = Exclude<keyof typeof styles, 'field'>;

function formatOf(style: keyof typeof styles): Intl.DateTimeFormat {
  const format =
    known.get(style) ??
    new Intl.DateTimeFormat(style === 'field' ? 'en' : reader.locale, { timeZone: reader.timeZone, ...styles[style] });
  known.set(style, format);
  return format;
}

/** Formats a time in the person's language and time zone. */
export const formatMoment = (at: string | number | Date, style: MomentStyle): string =>
  formatOf(style).format(new Date(at));

/** "2026-11-24T05:47" in the person's time zone: the value of a date and time field. */
export function toField(moment: Date): string {
  const parts = new Map(
    formatOf('field')
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/** The inverse of `toField`; undefined for an invalid text. */
export function fromField(text: string): Date | undefined {
  const asUtc = new Date(`${text}Z`).getTime();
  if (Number.isNaN(asUtc)) return undefined;
  const wanted = toField(new Date(asUtc));
  // Corrects the offset by the offset at the estimated time: around a clock change the first estimate may be wrong.
  let moment = asUtc - (new Date(`${wanted}Z`).getTime() - asUtc);
  moment += asUtc - new Date(`${toField(new Date(moment))}Z`).getTime();
  return new Date(moment);
}
