import type { AuditEntry } from '../security/audit-entry';
import { scopeFacts } from '../security/audit-entry';
import type { Application } from './application';

/** The security log entries for a change of these members of an application. */
export function changeEntries(before: Application, after: Application, changed: readonly string[]): AuditEntry[] {
  const members = changed.filter((member) => member !== 'scopes');
  const { id, accountId, name, scopes } = after;
  const application = { id, accountId, name };
  const entries: AuditEntry[] = [];
  if (changed.includes('scopes')) {
    entries.push({ event: 'application.scopes_changed', application, facts: { scopes: scopeFacts(scopes) } });
  }
  if (members.length > 0) entries.push({ event: 'application.updated', application, facts: { members } });
  if (!before.disabledAt && after.disabledAt) entries.push({ event: 'application.disabled', application });
  if (before.disabledAt && !after.disabledAt) entries.push({ event: 'application.enabled', application });
  return entries;
}

export const createdEntry = (application: Application): AuditEntry => ({
  event: 'application.created',
  application,
  facts: { scopes: scopeFacts(application.scopes), grant_types: application.grantTypes },
});
