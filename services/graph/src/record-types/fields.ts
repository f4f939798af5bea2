import type { Role } from '@itsm/shared/contracts/directory';
import { statusWords } from './statuses';
import type { RecordChoice } from '@itsm/shared/pricing/record-choices';
import { uiExtensionKind } from '@itsm/shared/contracts/ui-extensions';
import { kind } from './kind';
import { textIn } from '@itsm/shared/declared/values';
import type { Values } from '@itsm/shared/declared/values';
import type {
  ChoiceField,
  Field,
  IntegerField,
  PersonField,
  RecordField,
  TextField,
} from '@itsm/shared/declared/language';
import type { Moment, Problem } from './record-type';

/** Before the id of a custom field, in columns of files and in filters of REST: `custom_fields.floor`. */
export const customPrefix = 'custom_fields.';

/** Fields and rules that several record types share. */
export const editors: readonly Role[] = ['specialist', 'account_administrator'];

export const subject: TextField = {
  name: 'subject',
  label: 'Subject',
  kind: 'text',
  maxLength: 255,
  required: true,
  filterable: true,
  sortable: true,
  audience: 'everybody',
};

/** The origin of a record in another system; the pair is unique among records of a type in an account. */
export const sourceFields: readonly Field[] = [
  { name: 'source', label: 'Source', kind: 'text', maxLength: 30, filterable: true, audience: 'machine' },
  { name: 'sourceID', label: 'Source ID', kind: 'text', maxLength: 128, filterable: true, audience: 'machine' },
];

/** What an account adds to a type: the UI extension whose form says which further fields a record has, and their values. */
export const custom: readonly Field[] = [
  { name: 'uiExtension', label: 'UI extension', kind: 'reference', to: uiExtensionKind, audience: 'machine' },
  { name: 'customFields', label: 'Custom fields', kind: 'custom', audience: 'everybody' },
];

const timeSpent: IntegerField = {
  name: 'timeSpent',
  label: 'Time spent',
  kind: 'integer',
  max: 1_000_000,
  unaudited: true,
};

/** The last fields of work items: time spent, source, and when it was closed. */
export const ending = (closed: string, label: string): readonly Field[] => [
  timeSpent,
  ...sourceFields,
  { name: closed, label, kind: 'timestamp', written: 'never', audience: 'everybody' },
];

export const manager: PersonField = { name: 'manager', label: 'Manager', kind: 'person', filterable: true };
export const member: PersonField = {
  name: 'member',
  label: 'Member',
  kind: 'person',
  filterable: true,
  audience: 'everybody',
};

/** The team field; `inverse` is the team's connection back to the records. */
export const team = (inverse: string): RecordField => ({
  name: 'team',
  label: 'Team',
  kind: 'record',
  to: kind('team'),
  inverse,
  filterable: true,
  audience: 'everybody',
});

/** The initial statuses of reported work. */
export const reportedStatuses = [
  'declined',
  'on_backlog',
  'assigned',
  'accepted',
  'in_progress',
  'waiting_for',
] as const;

const levels = ['low', 'medium', 'high', 'top'];

export const impact = (enumName: string): ChoiceField => choice('impact', 'Impact', enumName, levels);
export const priority = (enumName: string): ChoiceField => choice('priority', 'Priority', enumName, levels);

export const category = (
  enumName: string,
  choices: readonly string[],
  words: ChoiceField['words'] = {},
): ChoiceField => ({
  ...choice('category', 'Category', enumName, choices),
  words,
  required: true,
});

/** `more` adds to the words of statuses, such as what else is asked for with one. */
export const status = (
  enumName: string,
  choices: readonly string[],
  more: Readonly<Record<string, object>> = {},
): ChoiceField => ({
  ...choice('status', 'Status', enumName, choices),
  words: Object.fromEntries(choices.map((value) => [value, { ...statusWords[value], ...more[value] }])),
  required: true,
  sortable: true,
  audience: 'everybody',
});

const choice = (name: RecordChoice, label: string, enumName: string, choices: readonly string[]): ChoiceField => ({
  name,
  label,
  kind: 'choice',
  enumName,
  choices,
  filterable: true,
});

export const isAssigned = (values: Values): boolean => values['team'] != null || values['member'] != null;

/** When the record reached one of the `closed` statuses; null otherwise. */
export const closedAt = (
  field: string,
  closed: readonly string[],
  values: Values,
  before: Values | undefined,
  { now }: Moment,
): Values => ({ [field]: closed.includes(textIn(values, 'status') ?? '') ? (before?.[field] ?? now) : null });

/** Refuses an end (a date or a time) before the start. */
export const endsAfterItStarts =
  (start: string, end: string, problem: string) =>
  (values: Values): readonly Problem[] => {
    const [from, to] = [values[start], values[end]];
    return from instanceof Date && to instanceof Date && to < from ? [{ field: end, problem }] : [];
  };
