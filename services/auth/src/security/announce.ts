import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { noAccount } from './audit-entry';

/**
 * Makes a revocation that is already written effective for every request that starts from now on: processes with a
 * cached caller of these accounts must introspect again. When the shared store is out of reach it throws a 503: the
 * write stays and takes effect within a minute, when cached callers end, but it must not be reported as done.
 * Repeating the revoking call repeats the announcement, but not what it leaves behind for people to see: `record`
 * writes that, whether the announcement succeeds or fails.
 */
export type Announce = (accountIds: readonly string[], record: () => Promise<void>) => Promise<void>;

/** Without a coordination store callers are not cached and there is nothing to announce. */
export function createAnnounce(coordination: Coordination | undefined, logger: Logger): Announce {
  return async (accountIds, record) => {
    try {
      const named = new Set(accountIds.filter((id) => id !== noAccount));
      await coordination?.bump([...named].map(accountRevision));
    } catch (error) {
      logger.error('revocation written but not announced', { accountIds, error });
      throw new AppError(
        'service_unavailable',
        'The change is saved but not yet effective everywhere. Please repeat it.',
      );
    } finally {
      await record();
    }
  };
}
