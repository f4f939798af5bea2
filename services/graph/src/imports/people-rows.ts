import { peopleRowsRead } from '@itsm/shared/contracts/imports';
import { writeTime } from '@itsm/shared/base/time/time-text';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Import } from './import';
import type { Batch } from './import-batch';

/** The message with rows of people. Sent again it has the same id. */
export function peopleRowsEntry(of: Import, headers: readonly string[], { rows, line }: Batch): OutboxEntry {
  const { id, accountId, isDryRun, invites, caller, createdAt } = of;
  const { personId, name, homeAccountId, roles, timeZone, kind, authenticatedAt } = caller;
  return outboxEntry(
    peopleRowsRead,
    {
      importId: id,
      accountId,
      line,
      headers: [...headers],
      rows: [...rows],
      isDryRun,
      invites,
      importer: {
        personId,
        name,
        homeAccountId,
        roles: [...roles],
        timeZone,
        kind,
        authenticatedAt: authenticatedAt ? writeTime(authenticatedAt) : null,
      },
      queuedAt: writeTime(createdAt),
    },
    `import ${id} ${line}`,
  );
}
