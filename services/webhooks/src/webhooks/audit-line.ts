import { parseNodeId, parseNumber } from '@itsm/shared/base/ids/node-id';
import type { Person } from '@itsm/shared/contracts/records';
import type { Addresses } from './addresses';
import type { Webhook } from './webhook';
import { changedFields } from '@itsm/shared/declared/changes';
import { stateOf } from './webhook';
import { webhookType } from './webhook-type';

export type AuditAction = 'created' | 'updated' | 'verified' | 'disabled';

export interface AuditChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What one change did to a webhook. */
export interface AuditLine {
  /** The version that resulted from the change; unique and ascending within a webhook. */
  readonly id: number;
  readonly createdAt: Date;
  readonly action: AuditAction;
  /** Null when the service itself, or the holder of a verification code, made the change. */
  readonly person: { readonly id: number; readonly name: string } | null;
  readonly changes: readonly AuditChange[];
}

/** The audit line of a change; `before` is undefined for a new webhook. Undefined when no visible member changed. */
export function auditLineOf(
  before: Webhook | undefined,
  after: Webhook,
  person: Person | null,
): Omit<AuditLine, 'id'> | undefined {
  const state = { field: 'state', from: before ? stateOf(before) : null, to: stateOf(after) };
  const changes = [...changedFields(webhookType, before, after), ...(state.from === state.to ? [] : [state])].map(
    ({ field, from, to }) => ({ field, from: shortened(from), to: shortened(to) }),
  );
  if (changes.length === 0) return undefined;
  const by = person && { id: person.id, name: person.name };
  return { createdAt: after.updatedAt, action: actionOf(before, after, person), person: by, changes };
}

function actionOf(before: Webhook | undefined, after: Webhook, person: Person | null): AuditAction {
  if (!before) return 'created';
  if (!before.verified && after.verified) return 'verified';
  return person === null && !before.disabled && after.disabled ? 'disabled' : 'updated';
}

const longest = 1_000;

const shortened = (value: unknown): unknown =>
  typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value;

/** Lines are numbered within their webhook or policy, so the node id has both numbers. */
export type AuditNodeType = 'WebhookAuditLine' | 'WebhookPolicyAuditLine';

/** A line with the id of its webhook or policy. */
export interface AuditNode extends AuditLine {
  readonly of: number;
}

export const auditNodes = (of: number, lines: readonly AuditLine[]): AuditNode[] =>
  lines.map((line) => ({ ...line, of }));

export const auditNodeId = (type: AuditNodeType, { of, id }: AuditNode, { nodeIdOf }: Pick<Addresses, 'nodeIdOf'>) =>
  nodeIdOf(type, `${of}-${id}`);

/** Parses the node id of an audit line; undefined for any other text. */
export function parseAuditNodeId(
  nodeIdDomain: string,
  type: AuditNodeType,
  text: string,
): { readonly of: number; readonly id: number } | undefined {
  const ref = parseNodeId(nodeIdDomain, text);
  const [of, id, ...others] = (ref?.id ?? '').split('-').map(parseNumber);
  return ref?.type === type && of !== undefined && id !== undefined && others.length === 0 ? { of, id } : undefined;
}
