import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { formatMoment, formatNumber } from './formats';

/** In English, as it is part of our sentences. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A time relative to now: "3 min. ago", "in 42 sec."; the date after a week. */
export function relativeTime(moment: Date, now: Date): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) > 7 * 86_400) return formatMoment(moment, 'day');
  const [unit, size] = steps.find(([, least]) => Math.abs(seconds) >= least) ?? steps[3];
  return relative.format(Math.round(seconds / size), unit);
}

/** A relative time, with the exact one as tooltip and for machines; in the person's time zone. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const known = useNow(30_000);
  const moment = new Date(at);
  // `known` was read up to an interval ago, so a time just after it is not in the future.
  const ahead = moment.getTime() - known.getTime();
  const now = ahead > 0 && ahead < 30_000 ? moment : known;
  return (
    <time dateTime={at} title={formatMoment(moment, 'exact')} className="nowrap">
      {relativeTime(moment, now)}
    </time>
  );
}

/** The current time, updated every `milliseconds`. */
export function useNow(milliseconds: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
  return now;
}

/** 6.7 ms, 1.2 s. */
export const duration = (milliseconds: number): string =>
  milliseconds < 1_000
    ? `${formatNumber(Number(milliseconds.toPrecision(2)))} ms`
    : `${formatNumber(Number((milliseconds / 1_000).toFixed(1)))} s`;
