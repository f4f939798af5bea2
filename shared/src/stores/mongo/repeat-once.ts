import { isOutage } from '../../base/errors/outage';

/**
 * Retries an idempotent write once when the primary changes; the retry waits for the new primary. The driver itself
 * does not retry writes to several documents.
 */
export async function repeatOnce<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isOutage(error)) throw error;
    return write();
  }
}
