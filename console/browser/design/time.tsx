import { useEffect, useState, useSyncExternalStore } from 'react';
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

/** A time relative to now: "just now", "3 min. ago", "in 42 sec."; the date after a week. */
export function relativeTime(moment: Date, now: Date): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  // Seconds of several events would be compared, and they are those of the last look at the clock.
  if (seconds <= 0 && seconds > -60) return 'just now';
  if (Math.abs(seconds) > 7 * 86_400) return formatMoment(moment, 'day');
  const [unit, size] = steps.find(([, least]) => Math.abs(seconds) >= least) ?? steps[3];
  return relative.format(Math.round(seconds / size), unit);
}

const lookMilliseconds = 30_000;
const watchers = new Set<() => void>();
let timer: number | undefined;
/** When all relative times of the page were last compared with the clock, so that they agree. */
let known = new Date();

const look = (): void => {
  known = new Date();
  for (const tell of watchers) tell();
};

function watchClock(tell: () => void): () => void {
  watchers.add(tell);
  if (timer === undefined) {
    timer = window.setInterval(look, lookMilliseconds);
    look();
  }
  return () => {
    watchers.delete(tell);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A relative time, with the exact one as tooltip and for machines; in the person's time zone. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const now = useSyncExternalStore(watchClock, () => known);
  const moment = new Date(at);
  // What happened since the last look is not in the future.
  const isSince = moment > now && moment.getTime() - now.getTime() < lookMilliseconds;
  return (
    <time dateTime={at} title={formatMoment(moment, 'exact')} className="nowrap">
      {relativeTime(moment, isSince ? moment : now)}
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
