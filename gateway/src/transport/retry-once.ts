import type { Deadline } from './deadline';

const lost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** What a call may still do when its connection goes. */
export interface Chance {
  /** A read may have been made already; anything else is only repeated when it never left. */
  readonly isRead: boolean;
  /** For all attempts together. */
  readonly deadline: Deadline;
}

/** Retries once when the connection went before an answer came, as it may while a service is restarted. */
export async function retryOnce<T>(ask: (deadlineMilliseconds: number) => Promise<T>, chance: Chance): Promise<T> {
  const { isRead, deadline } = chance;
  try {
    return await ask(deadline.left());
  } catch (error) {
    if (!mayRepeat(error, isRead)) throw error;
    return ask(deadline.left());
  }
}

/** Nothing has reached a service that refused the connection. */
export function mayRepeat(error: unknown, isRead: boolean): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return code === 'ECONNREFUSED' || (isRead && lost.has(code));
}
