/** Polls `ask` until it returns a truthy value; rejects after `milliseconds` with `what` in the message. */
export async function waitUntil<T>(
  what: string,
  ask: () => T | Promise<T>,
  milliseconds = 100_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${milliseconds} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
