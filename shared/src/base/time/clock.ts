/** The current time, passed in so that tests can simulate weeks in milliseconds. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** How far the clocks of two machines of the platform may be apart, in either direction, before they refuse each other. */
export const clockToleranceSeconds = 60;

/** Whole seconds since the epoch, as in JWT claims and rate limit headers. */
export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Calls `end` once after that many milliseconds, unless the returned function is called before. Tests pass their own. */
export type StartTimer = (end: () => void, milliseconds: number) => () => void;

export const startSystemTimer: StartTimer = (end, milliseconds) => {
  const timer = setTimeout(end, milliseconds);
  return () => clearTimeout(timer);
};

/** It does not keep the process running. */
export const startBackgroundTimer: StartTimer = (end, milliseconds) => {
  const timer = setTimeout(end, milliseconds).unref();
  return () => clearTimeout(timer);
};
