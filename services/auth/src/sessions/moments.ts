import type { Person } from '../directory/person';

type Reader = Pick<Person, 'locale' | 'timeZone'>;

/** Date and time formats for templates, as `it.show`. */
interface Show {
  /** "24 Nov 2026" */
  date(at: Date): string;
  /** "24 Nov 2026, 05:47 UTC" */
  moment(at: Date): string;
}

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const exact = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
const standard: Reader = { locale: 'en', timeZone: 'UTC' };

/** Formats for the reader's language and time zone; for visitors in UTC, which is shown with the time. */
export function showTo(reader: Reader = standard): Show {
  return {
    date: (at) => formatOf(reader, day).format(at),
    moment: (at) => formatOf(reader, exact).format(at),
  };
}

function formatOf({ locale, timeZone }: Reader, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone, ...options });
  } catch {
    // A stored time zone that this release does not know.
    return new Intl.DateTimeFormat(standard.locale, { timeZone: standard.timeZone, ...options });
  }
}

/** Template code that prints the time `value`, readable by people and machines. */
export const momentOf = (value: string): string =>
  /* html */ `<time datetime="<%= ${value}.toISOString() %>"><%= it.show.moment(${value}) %></time>`;

/** As `momentOf`, only the date; the time is in the tooltip. */
export const dateOf = (value: string): string =>
  /* html */ `<time datetime="<%= ${value}.toISOString() %>" title="<%= it.show.moment(${value}) %>"><%= it.show.date(${value}) %></time>`;
