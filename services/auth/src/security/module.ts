import type { Module, Platform } from '@itsm/shared/running/module';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createAnnounce } from './announce';
import type { Announce } from './announce';
import { createAttempts } from './attempts';
import type { Attempts } from './attempts';
import type { Origin } from './audit-entry';
import { createAuditRepository } from './audit.repository';
import type { AuditRepository } from './audit.repository';
import { createAudit } from './audit.service';
import type { Audit } from './audit.service';
import { createThrottleRepository } from './throttle.repository';
import { createUsedOnceRepository } from './used-once.repository';
import type { UsedOnceRepository } from './used-once.repository';

interface Needs {
  /** Without it the gateway introspects every call, and revocations need no announcement. */
  readonly coordination: Coordination | undefined;
  readonly presentOrigin: () => Origin | undefined;
}

export interface Security extends Module {
  readonly auditEntries: AuditRepository;
  readonly audit: Audit;
  readonly announce: Announce;
  readonly attempts: Attempts;
  readonly usedOnce: UsedOnceRepository;
}

export function createSecurity({ connection, logger, now }: Platform, needs: Needs): Security {
  const { coordination, presentOrigin } = needs;
  const auditEntries = createAuditRepository(connection);
  return {
    auditEntries,
    audit: createAudit({ auditEntries, presentOrigin, logger, now }),
    announce: createAnnounce(coordination, logger),
    attempts: createAttempts(createThrottleRepository(connection), now),
    usedOnce: createUsedOnceRepository(connection),
  };
}
