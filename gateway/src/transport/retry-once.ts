import type { Deadline } from './deadline';

const lost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Whether a failed call may be retried. */
export interface Chance {
  /** A read is idempotent; anything else is retried only if it was never sent. */
  readonly isRead: boolean;
  /** Shared by all attempts. */
  readonly deadline: Deadline;
}

/** Retries once when the connection closed before an answer, as happens while a service restarts. */
export async function retryOnce<T>(ask: (deadlineMilliseconds: number) => Promise<T>, chance: Chance): Promise<T> {
  const { isRead, deadline } = chance;
  try {
    return await ask(deadline.left());
  } catch (error) {
    if (!mayRepeat(error, isRead)) throw error;
    return ask(deadline.left());
  }
}

/** Whether a retry is safe: a read, or a call that never reached the service because it refused the connection. */
export function mayRepeat(error: unknown, isRead: boolean): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return code === 'ECONNREFUSED' || (isRead && lost.has(code));
}
