/** The present moment, passed in so that tests can let weeks go by in milliseconds. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Whole seconds since the epoch, as JWT claims and rate limit headers carry them. */
export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);
