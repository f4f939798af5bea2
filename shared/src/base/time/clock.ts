/** The current time, passed in so that tests can simulate weeks in milliseconds. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Whole seconds since the epoch, as in JWT claims and rate limit headers. */
export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);
