import type { Role } from '@itsm/shared/contracts/directory';
import type { Values } from './values';
import type {
  ChoiceField,
  Field,
  IntegerField,
  Moment,
  PersonField,
  Problem,
  RecordField,
  TextField,
} from './record-type';

/** Fields and rules that several types of record have alike. */
export const editors: readonly Role[] = ['specialist', 'account_administrator'];

export const subject: TextField = {
  name: 'subject',
  label: 'Subject',
  kind: 'text',
  maxLength: 255,
  required: true,
  filterable: true,
  sortable: true,
};

/** Where a record came from: unique together among the records of a type in an account. */
export const sourceFields: readonly Field[] = [
  { name: 'source', label: 'Source', kind: 'text', maxLength: 30, filterable: true },
  { name: 'sourceID', label: 'Source ID', kind: 'text', maxLength: 128, filterable: true },
];

const timeSpent: IntegerField = {
  name: 'timeSpent',
  label: 'Time spent',
  kind: 'integer',
  max: 1_000_000,
  unaudited: true,
};

/** The last fields of what is worked on: the time that it took, where it came from, and when it was closed. */
export const ending = (closed: string, label: string): readonly Field[] => [
  timeSpent,
  ...sourceFields,
  { name: closed, label, kind: 'timestamp', readOnly: true },
];

export const manager: PersonField = { name: 'manager', label: 'Manager', kind: 'person', filterable: true };
export const member: PersonField = { name: 'member', label: 'Member', kind: 'person', filterable: true };

/** `inverse` is the connection of the team. */
export const team = (inverse: string): RecordField => ({
  name: 'team',
  label: 'Team',
  kind: 'record',
  to: 'team',
  inverse,
  filterable: true,
});

/** How work begins on what somebody reports. */
export const reportedStatuses = [
  'declined',
  'on_backlog',
  'assigned',
  'accepted',
  'in_progress',
  'waiting_for',
] as const;

const levels = ['low', 'medium', 'high', 'top'];

export const impact = (scalar: string): ChoiceField => choice('impact', 'Impact', scalar, levels);
export const priority = (scalar: string): ChoiceField => choice('priority', 'Priority', scalar, levels);

export const category = (scalar: string, choices: readonly string[]): ChoiceField => ({
  ...choice('category', 'Category', scalar, choices),
  required: true,
});

export const status = (scalar: string, choices: readonly string[]): ChoiceField => ({
  ...choice('status', 'Status', scalar, choices),
  required: true,
  sortable: true,
});

const choice = (name: string, label: string, scalar: string, choices: readonly string[]): ChoiceField => ({
  name,
  label,
  kind: 'choice',
  scalar,
  choices,
  filterable: true,
});

export const isAssigned = (values: Values): boolean => values['team'] != null || values['member'] != null;

/** The moment at which the record came into one of the `closed` statuses; null while it is in none. */
export const closedAt = (
  field: string,
  closed: readonly string[],
  values: Values,
  before: Values | undefined,
  { now }: Moment,
): Values => ({ [field]: closed.includes(String(values['status'])) ? (before?.[field] ?? now) : null });

/** Refuses a plan whose end, a day or a moment, is before its start. */
export const endsAfterItStarts =
  (start: string, end: string, problem: string) =>
  (values: Values): readonly Problem[] => {
    const [from, to] = [values[start], values[end]];
    return from instanceof Date && to instanceof Date && to < from ? [{ field: end, problem }] : [];
  };
