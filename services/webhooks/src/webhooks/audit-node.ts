import { parseNodeId } from '@itsm/shared/base/ids/node-id';
import type { Addresses } from './addresses';
import type { AuditLine } from './audit-line';

/** Lines are numbered within what they are of: both numbers make the id of the node. */
export type AuditNodeType = 'WebhookAuditLine' | 'WebhookPolicyAuditLine';

/** A line with the id of the webhook or policy that it is of. */
export interface AuditNode extends AuditLine {
  readonly of: number;
}

export const auditNodes = (of: number, lines: readonly AuditLine[]): AuditNode[] =>
  lines.map((line) => ({ ...line, of }));

export const auditNodeId = (type: AuditNodeType, { of, id }: AuditNode, { nodeIdOf }: Pick<Addresses, 'nodeIdOf'>) =>
  nodeIdOf(type, `${of}-${id}`);

/** What the id of a node names; undefined for anything else. */
export function parseAuditNodeId(
  nodeIdDomain: string,
  type: AuditNodeType,
  text: string,
): { readonly of: number; readonly id: number } | undefined {
  const ref = parseNodeId(nodeIdDomain, text);
  const [, of, id] = /^(\d{1,15})-(\d{1,15})$/.exec(ref?.id ?? '') ?? [];
  return ref?.type === type && of !== undefined && id !== undefined ? { of: Number(of), id: Number(id) } : undefined;
}
