import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { noAccount } from './audit-entry';

/**
 * Invalidates the gateways' cached callers of these accounts, so that a written revocation applies to every request
 * from now on. Throws a 503 when the shared store is unreachable: the revocation is written and applies within a
 * minute, when cached callers expire, but must not be reported as done. A retry of the revoking call repeats the
 * announcement. `record` writes the log entries, whether the announcement succeeds or fails.
 */
export type Announce = (accountIds: readonly string[], record: () => Promise<void>) => Promise<void>;

/** Without a coordination store gateways cache no callers, so there is nothing to announce. */
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
