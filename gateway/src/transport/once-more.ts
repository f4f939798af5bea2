const lost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** What a call may still do when its connection goes. */
export interface Chance {
  /** A read may have been made already; anything else is only repeated when it never left. */
  readonly isRead: boolean;
  /** For all attempts together. */
  readonly deadlineMilliseconds: number;
}

/** Asks once more when the connection went before an answer came, as it may while a service is restarted. */
export async function onceMore<T>(ask: (deadlineMilliseconds: number) => Promise<T>, chance: Chance): Promise<T> {
  const { isRead, deadlineMilliseconds } = chance;
  const started = performance.now();
  try {
    return await ask(deadlineMilliseconds);
  } catch (error) {
    const left = Math.ceil(deadlineMilliseconds - (performance.now() - started));
    if (left <= 0 || !mayRepeat(error, isRead)) throw error;
    return ask(left);
  }
}

/** Nothing has reached a service that refused the connection. */
export function mayRepeat(error: unknown, isRead: boolean): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return code === 'ECONNREFUSED' || (isRead && lost.has(code));
}
