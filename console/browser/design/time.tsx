import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { formatMoment, formatNumber } from './formats';

/** Part of our sentences, and so in their language. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How a moment stands to now: "3 min. ago", "in 42 sec."; after a week the day. */
export function relativeTime(moment: Date, now: Date): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) > 7 * 86_400) return formatMoment(moment, 'day');
  const [unit, size] = steps.find(([, least]) => Math.abs(seconds) >= least) ?? steps[3];
  return relative.format(Math.round(seconds / size), unit);
}

/** A moment beside now, with the exact one for the pointer and for machines; in the time zone of the person. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const known = useNow(30_000);
  const moment = new Date(at);
  // What just happened is not in the future because the clock here was read before it.
  const ahead = moment.getTime() - known.getTime();
  const now = ahead > 0 && ahead < 30_000 ? moment : known;
  return (
    <time dateTime={at} title={formatMoment(moment, 'exact')} className="nowrap">
      {relativeTime(moment, now)}
    </time>
  );
}

/** The time, again each `milliseconds`. */
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
