import type { UriVault } from './uri-vault';
import type { StoredAuditLine } from './webhook.document';
import type { AuditChange, AuditLine } from './audit-line';

export const toStoredLine = (
  webhookId: number,
  id: number,
  { changes, ...line }: Omit<AuditLine, 'id'>,
  vault: UriVault,
): StoredAuditLine => ({ id, ...line, sealedChanges: vault.sealText(webhookId, JSON.stringify(changes)) });

export const toAuditLine = (
  webhookId: number,
  { sealedChanges, ...line }: StoredAuditLine,
  vault: UriVault,
): AuditLine => ({ ...line, changes: JSON.parse(vault.openText(webhookId, sealedChanges)) as AuditChange[] });
