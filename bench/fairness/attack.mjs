import { setTimeout as pause } from 'node:timers/promises';

/**
 * An attack is given the platform, prepares what it needs, and returns what goes on until `signal` aborts; `count`
 * notes an answer.
 */

/** Repeats `work` by so many workers at once; it returns the status of an answer, after which it backs off if need be. */
export const workers =
  (atOnce, work, goodStatus = 200) =>
  async (signal, count) => {
    let turn = 0;
    const worker = async () => {
      while (!signal.aborted) {
        turn += 1;
        const { status, text } = await work(turn, signal);
        if (signal.aborted) return;
        const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
        count(code ? `${status} ${code}` : status);
        // Back-off after a refusal.
        if (status !== goodStatus) await pause(200);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };

/** Keeps `atOnce` calls in flight, round-robin over the people. */
export const steadily =
  (atOnce, make, goodStatus) =>
  ({ baseUrl, greedy, call }) =>
    workers(
      atOnce,
      (turn, signal) => {
        const { path, ...options } = make(greedy[turn % greedy.length], turn);
        return call(`${baseUrl}${path}`, { ...options, signal });
      },
      goodStatus,
    );

/** The headers of a browser at `address`. */
export const from = (address) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });

export const asJson = (headers) => ({ ...headers, 'Content-Type': 'application/json' });
