import { failureOf } from './errors';

/** A longer wait is for the person to decide about. */
const longestWait = 30;

const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** Sends a call again when its window is over, as long as it is refused for its pace: such a call has done nothing. */
export async function patiently<T>(send: () => Promise<T>, rest = wait): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'too_fast' || failure.seconds > longestWait) throw error;
      await rest(failure.seconds);
    }
  }
}
