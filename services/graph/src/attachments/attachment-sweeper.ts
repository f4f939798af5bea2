import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Runner } from '@itsm/shared/running/module';
import type { AttachmentRepository, NotedRecord } from './attachment.repository';
import type { AttachmentService } from './attachment.service';

interface Dependencies {
  readonly files: AttachmentRepository;
  readonly attachments: Pick<AttachmentService, 'remove'>;
  /** Whether a note may still wait in the outbox of the record. */
  readonly isWaiting: (accountId: string, record: NotedRecord) => Promise<boolean>;
  readonly logger: Logger;
  readonly now: Clock;
}

/**
 * Deletes files that no note took within a day, and those of notes that were deleted. Several processes may do it at
 * once: each step can be repeated.
 */
export interface AttachmentSweeper extends Runner {
  /** Deletes all that is due; returns how many files. */
  work(): Promise<number>;
}

const minute = 60_000;
/** For so long a process has a file for itself. */
const leaseMilliseconds = 10 * minute;

export function createAttachmentSweeper({
  files,
  attachments,
  isWaiting,
  logger,
  now,
}: Dependencies): AttachmentSweeper {
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<unknown> = Promise.resolve();
  let stopping = false;

  async function work(): Promise<number> {
    let removed = 0;
    while (!stopping) {
      const at = now();
      const file = await files.claimDue(at, new Date(at.getTime() + leaseMilliseconds));
      if (!file) break;
      if (file.takenBy && !file.isLeaving && (await isWaiting(file.accountId, file.takenBy))) continue;
      if (!file.isLeaving && !(await files.leave(file))) continue;
      await attachments.remove(file);
      removed += 1;
    }
    return removed;
  }

  const tick = (): void => {
    working = working.then(work).catch((error: unknown) => {
      logger.warn('files could not be deleted and wait for the next try', { error });
    });
  };

  return {
    work,
    start() {
      tick();
      timer = setInterval(tick, 10 * minute);
      timer.unref();
    },
    async stop() {
      stopping = true;
      clearInterval(timer);
      await working;
    },
  };
}
