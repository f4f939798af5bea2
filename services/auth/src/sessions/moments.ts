import type { Person } from '../directory/person';

type Reader = Pick<Person, 'locale' | 'timeZone'>;

/** How templates write dates and times, as `it.show`. */
interface Show {
  /** "24 Nov 2026" */
  date(at: Date): string;
  /** "24 Nov 2026, 05:47 UTC" */
  moment(at: Date): string;
}

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const exact = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
const standard: Reader = { locale: 'en', timeZone: 'UTC' };

/** For a person in their language and time zone; for visitors who are not signed in by UTC, which the times name. */
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
    // Stored by a release that knew other zones than this one.
    return new Intl.DateTimeFormat(standard.locale, { timeZone: standard.timeZone, ...options });
  }
}

/** For interpolation into a template: the moment that `value` names there, for people and for machines. */
export const momentOf = (value: string): string =>
  /* html */ `<time datetime="<%= ${value}.toISOString() %>"><%= it.show.moment(${value}) %></time>`;

/** The day alone; the pointer shows the time of day too. */
export const dateOf = (value: string): string =>
  /* html */ `<time datetime="<%= ${value}.toISOString() %>" title="<%= it.show.moment(${value}) %>"><%= it.show.date(${value}) %></time>`;
