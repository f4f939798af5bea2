import type { ReactNode } from 'react';
import { formatNumber } from '../design/formats';
import { Time } from '../design/time';
import { kindOfField } from './kinds';
import { RecordLink } from './record-link';

/** A record in its REST form. */
export type RestRecord = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly nodeID: string;
  readonly account: { readonly id: string; readonly name: string };
};

interface Reference {
  readonly id: number | string;
  readonly name?: string;
  readonly subject?: string;
}

const initials: Readonly<Record<string, string>> = { sourceID: 'Source ID', supportID: 'Support ID', sla: 'SLA' };

/** "Requested by" for `requested_by` and `requestedBy`. */
export function labelOf(field: string): string {
  const words = field
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return initials[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** "waiting for" for `waiting_for`. */
export const wordsOf = (value: string): string => value.replaceAll('_', ' ');

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && 'id' in value;
const isTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value);
/** Whether the field holds choices such as `in_progress`, not free text. */
const isSymbol = (field: string): boolean => ['category', 'impact', 'priority', 'status', 'roles'].includes(field);

/** A field's value for display; null when it is empty. */
export function presentValue(field: string, value: unknown, account: string): ReactNode {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return presentList(field, value, account);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isReference(value)) return <ReferenceLink field={field} reference={value} account={account} />;
  if (typeof value === 'number') return <span className="number">{formatNumber(value)}</span>;
  if (typeof value !== 'string') return <code>{JSON.stringify(value)}</code>;
  if (isTime(value)) return <Time at={value} />;
  if (isSymbol(field)) return wordsOf(value);
  return value.includes('\n') ? <span className="record-text">{value}</span> : value;
}

function presentList(field: string, values: readonly unknown[], account: string): ReactNode {
  if (values.length === 0) return null;
  return (
    <ul className="record-values">
      {values.map((value, index) => (
        <li key={index}>{presentValue(field, value, account)}</li>
      ))}
    </ul>
  );
}

function ReferenceLink({
  field,
  reference,
  account,
}: {
  readonly field: string;
  readonly reference: Reference;
  readonly account: string;
}): ReactNode {
  const name = reference.name ?? reference.subject ?? `#${reference.id}`;
  const plural = kindOfField[field];
  if (plural === undefined) return name;
  return (
    <RecordLink account={account} kind={plural} number={reference.id}>
      {name}
    </RecordLink>
  );
}
