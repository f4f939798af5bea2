import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Runner } from '@itsm/shared/running/module';
import type { AttachmentRepository, DueFile } from './attachment.repository';
import type { AttachmentService } from './attachment.service';
import type { FileHolders } from './placed-files';

interface Dependencies {
  readonly files: AttachmentRepository;
  readonly attachments: Pick<AttachmentService, 'remove'>;
  readonly holders: FileHolders;
  readonly logger: Logger;
  readonly now: Clock;
}

/**
 * Deletes files that nothing took within a day, and those of notes and texts that were deleted. Several processes may do
 * it at once: each step can be repeated.
 */
export interface AttachmentSweeper extends Runner {
  /** Deletes all that is due; returns how many files. */
  work(): Promise<number>;
}

const minute = 60_000;
/** For so long a process has a file for itself. */
const leaseMilliseconds = 10 * minute;

export function createAttachmentSweeper({ files, attachments, holders, logger, now }: Dependencies): AttachmentSweeper {
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<unknown> = Promise.resolve();
  let stopping = false;

  /** Whether a note or a text has it; what a process did not finish is finished. */
  async function isUsed({ accountId, id, takenBy }: DueFile, lease: Date): Promise<boolean> {
    if (!takenBy) return false;
    if (await holders.isWaiting(accountId, takenBy)) return true;
    if (!(await holders.isInText(accountId, takenBy, id))) return false;
    await files.keepInText(accountId, [id], lease);
    return true;
  }

  async function work(): Promise<number> {
    let removed = 0;
    while (!stopping) {
      const at = now();
      const lease = new Date(at.getTime() + leaseMilliseconds);
      const file = await files.claimDue(at, lease);
      if (!file) break;
      if (!file.isLeaving && ((await isUsed(file, lease)) || !(await files.leave(file)))) continue;
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
