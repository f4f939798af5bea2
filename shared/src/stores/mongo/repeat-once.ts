import { isOutage } from '../../base/errors/outage';

/**
 * The driver repeats no write to several documents when the primary changes. For one that can be made twice without harm: the
 * second waits for the new primary.
 */
export async function repeatOnce<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isOutage(error)) throw error;
    return write();
  }
}
