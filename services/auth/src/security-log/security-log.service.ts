import { loadConnection } from '@itsm/shared/api/graphql/connections';
import type { Connection, ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { Clock } from '@itsm/shared/base/time/clock';
import { alertEvents } from '../security/audit-event';
import type { AuditRecord } from '../security/audit-entry';
import type { AuditFilter, AuditRepository } from '../security/audit.repository';

interface Dependencies {
  readonly auditEntries: AuditRepository;
  readonly now: Clock;
}

export interface SecurityLogService {
  /** The account's entries, for its administrators. */
  readonly read: (accountId: string, filter: AuditFilter, args: ConnectionArgs) => Promise<Connection<AuditRecord>>;
  readonly find: (accountId: string, id: number) => Promise<AuditRecord | undefined>;
  /** As `read`, one page for the web page, from the cursor on. */
  readonly page: (
    accountId: string,
    filter: AuditFilter,
    after: string | undefined,
  ) => Promise<Connection<AuditRecord>>;
  /** A page of entries about or by a person of this account, in any account's log. */
  readonly ownPage: (
    accountId: string,
    personId: number,
    after: string | undefined,
  ) => Promise<Connection<AuditRecord>>;
  /** Alerts (signs of theft) about a person of this account: of the last 30 days, at most five. */
  recentAlerts(accountId: string, personId: number): Promise<AuditRecord[]>;
}

const pageSize = 20;
const recentMilliseconds = 30 * 86_400_000;
const mostAlerts = 5;

/** Reads the security log, the newest entries first. */
export function createSecurityLogService({ auditEntries, now }: Dependencies): SecurityLogService {
  const read = (accountId: string, filter: AuditFilter, args: ConnectionArgs): Promise<Connection<AuditRecord>> =>
    loadConnection(args, {
      read: (slice) => auditEntries.list(accountId, filter, slice),
      count: () => auditEntries.count(accountId, filter),
    });

  return {
    read,
    find: (accountId: string, id: number) => auditEntries.find(accountId, id),
    page: (accountId: string, filter: AuditFilter, after: string | undefined) =>
      read(accountId, filter, { first: pageSize, after: after ?? null }),
    ownPage: (accountId: string, personId: number, after: string | undefined): Promise<Connection<AuditRecord>> =>
      loadConnection(
        { first: pageSize, after: after ?? null },
        {
          read: (slice) => auditEntries.listOwn(accountId, personId, {}, slice),
          count: () => Promise.resolve(0),
        },
      ),
    async recentAlerts(accountId: string, personId: number): Promise<AuditRecord[]> {
      const slice = { after: undefined, before: undefined, limit: mostAlerts, from: 'start' } as const;
      const found = await auditEntries.listOwn(accountId, personId, { events: alertEvents }, slice);
      const since = now().getTime() - recentMilliseconds;
      return found.filter(({ at }) => at.getTime() > since);
    },
  };
}
