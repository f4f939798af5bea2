import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';

/**
 * Records "last used", which is information for people: to the minute, and without delaying the call. At most one write
 * per key and a hundred in all are in flight; further ones are dropped.
 */
export type NoteUse = (key: string, lastUsedAt: Date | null, write: (at: Date) => Promise<void>) => void;

const exactMilliseconds = 60_000;
const mostWrites = 100;

export function createNoteUse(logger: Logger, now: Clock): NoteUse {
  const writing = new Set<string>();
  return (key, lastUsedAt, write) => {
    const at = now();
    if (lastUsedAt && at.getTime() - lastUsedAt.getTime() < exactMilliseconds) return;
    if (writing.has(key) || writing.size >= mostWrites) return;
    writing.add(key);
    write(at)
      .catch((error: unknown) => logger.warn('last use not recorded', { error }))
      .finally(() => writing.delete(key));
  };
}
