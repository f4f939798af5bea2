/** What a search yields between two slices of its work: the one who reads it lets others work, and goes on. */
export const pause = Symbol('pause');

export type Pause = typeof pause;

/** Candidates that a search looks at in one slice; a few milliseconds at most. */
export const sliceLength = 512;

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop of its own: of several searches one works at a time, in turn. */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}

/** Runs to the end at once, for commands that write: nothing may change between what they read and what they write. */
export function* withoutPauses<T>(items: Iterable<T | Pause>): Generator<T, void, void> {
  for (const item of items) if (item !== pause) yield item;
}
