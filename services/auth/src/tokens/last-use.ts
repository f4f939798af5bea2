import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';

/**
 * "Last used" is information for people: kept to the minute, and no call waits for the write. At most one write per key, and a
 * hundred in all, run at a time; further ones are skipped until the next use.
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
