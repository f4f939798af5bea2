import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { requestWindowsOf } from '../callers/windows';

/**
 * Takes one call from the request windows of `limitKey` and opens them for an hour. A window lasts as long as its first
 * hit said; so the calls that follow fall into one window however slow the machine is, also in Redis, which has its own
 * clock.
 */
export async function openForAnHour(coordination: Coordination, limitKey: string): Promise<void> {
  const windows = requestWindowsOf(limitKey, 1).map((window) => Object.assign(window, { seconds: 3_600 }));
  await coordination.take(windows, []);
}
