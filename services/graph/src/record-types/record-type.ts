import type { Role } from '@itsm/shared/contracts/directory';
import { modelOf } from '@itsm/shared/contracts/record-kinds';
import type { Condition, ViewDescription } from '@itsm/shared/declared/description';
import type { Field, FlagField, RecordTypeKind } from '@itsm/shared/declared/language';
import { memberName } from '@itsm/shared/declared/names';
import type { Values } from '@itsm/shared/declared/values';
import { standingViews } from '@itsm/shared/declared/views';

import type { LifeCycleState } from './life-cycle';

export interface Moment {
  /** The author of the write; null for the platform itself. */
  readonly personId: number | null;
  readonly accountId: string;
  readonly now: Date;
}

/** A violated rule: `{ field: 'endDate', problem: 'is before the start' }`. */
export interface Problem {
  readonly field: string;
  readonly problem: string;
}

/** What those to whom a record belongs may do with it, though they may not change it: a mutation, and a path of REST. */
export interface OwnerStep {
  /** `withdraw`: the mutation `requestWithdraw`, and `POST /v1/requests/:id/withdraw`. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** What it says when it was done: `Thank you.` */
  readonly done: string;
  /** Whether it is done with what is open or with what is closed. */
  readonly from: 'open' | 'closed';
  /** For how long after the time in the field it can be done. */
  readonly within?: { readonly days: number; readonly field: string };
  /** It cannot be done while a field has one of these values. */
  readonly unless?: readonly (Condition & { readonly problem: string })[];
  /** It needs a note that says why. */
  readonly asksNote?: true;
  readonly flags?: readonly FlagField[];
  /** The values that it changes. */
  sets(values: Values, flags: Readonly<Record<string, boolean>>): Values;
}

/**
 * The declaration of a record type: schema, storage, API and events are derived from it. The first members come from
 * the table of record kinds: `...kind('request')`.
 */
export interface RecordType extends RecordTypeKind {
  /** The GraphQL root field of the connection, where it is not `plural` in camel case. */
  readonly rootField?: string;
  readonly description: string;
  /** The first text field is the title, which full-text search covers. */
  readonly fields: readonly Field[];
  /** The fields that a list shows beside the title, in this order. */
  readonly columns: readonly string[];
  /** In addition to those that every type has; see `viewsOf`. */
  readonly views: readonly View[];
  /** The statuses in which nothing is left to do. */
  readonly closed?: readonly string[];
  /** The status that says that the member has taken the work up; those before it say that nobody has. */
  readonly takenUpAs?: string;
  /** What those to whom a record belongs (`endUsersSee`) may do with it. */
  readonly steps?: readonly OwnerStep[];
  /** What a note of one of them changes, such as that it no longer waits for their answer. */
  readonly answered?: (values: Values) => Values;
  /** The reference to the record by whose manager this one is managed. */
  readonly partOf?: string;
  /** What end users and key contacts see: everything, nothing, or records that refer to them in one of these fields. */
  readonly endUsersSee: 'all' | 'none' | readonly string[];
  /** The person's connection to the records that refer to them in one of these fields. */
  readonly ofPerson?: string;
  readonly hasNotes?: true;
  /** Records are given to it as their `team`; people watch it for those that have no member. */
  readonly takesWork?: true;
  /** Frequent pairs of a filter and an order, which get a compound index. */
  readonly indexedTogether?: readonly (readonly [filter: string, order: string])[];
  /** Roles that may create and update through the API; an absent operation does not exist. */
  readonly mutations: { readonly create?: readonly Role[]; readonly update?: readonly Role[] };
  /** Fields that callers may fill in who may create but not update records; all when absent. */
  readonly othersFill?: readonly string[];
  /** Allowed status transitions; a status without an entry may change to any. */
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
  /** Rules that involve several fields; `values` are complete. */
  check?(values: Values, moment: Moment): readonly Problem[];
  /** Adds defaults and computed values before every write; `before` is absent on creation. */
  derive(values: Values, before: Values | undefined, moment: Moment): Values;
}

/** `projectTaskId`: the number of a record beside its node id, as clients of compatible services know it. */
export const numberName = (type: RecordType): string => `${memberName(type)}Id`;

/** The resource name in scope actions, in kebab-case. */
export const modelName = (type: Pick<RecordType, 'name'>): string => modelOf(type.name);

/** The person fields that make a person an owner of the record. */
export const ownersOf = ({ endUsersSee }: RecordType): readonly string[] =>
  typeof endUsersSee === 'string' ? [] : endUsersSee;

/** What the records of a view have in common. */
export type ViewPart =
  | { readonly field: string; readonly is: readonly string[] | readonly boolean[] }
  | { readonly field: string; readonly isNot: readonly string[] }
  /** The field names the caller. */
  | { readonly field: string; readonly names: 'caller' }
  /** The field names a record of that type, which itself names the caller in its field. */
  | { readonly field: string; readonly names: { readonly type: RecordType['name']; readonly field: string } };

type Viewed = Pick<RecordType, 'closed' | 'partOf' | 'fields'>;

interface ViewRule extends Pick<ViewDescription, 'description' | 'audience' | 'personal' | 'rare'> {
  /** Where it is not the name in words. */
  readonly label?: string;
  readonly where: (type: Viewed) => readonly ViewPart[];
}

const namingCaller =
  (field: string): ViewRule['where'] =>
  () => [{ field, names: 'caller' }];
const closed: ViewRule['where'] = ({ closed: is = [] }) => [{ field: 'status', is }];
const open: ViewRule['where'] = ({ closed: isNot = [] }) => [{ field: 'status', isNot }];

function managedByCaller({ fields, partOf }: Viewed): readonly ViewPart[] {
  const whole = fields.find((field) => field.kind === 'record' && field.name === partOf);
  return whole?.kind === 'record'
    ? [{ field: whole.name, names: { type: whole.to.name, field: 'manager' } }]
    : [{ field: 'manager', names: 'caller' }];
}

const whole = () => [];

/**
 * Parts of a type's list that have names: `view` of the root connection in GraphQL, and a path of its own in REST. Each
 * is served by an index.
 */
export const views = {
  all: {
    label: 'With those of other accounts',
    description: 'Everything that the caller may see, of other accounts as well.',
    rare: 'everybody',
    where: whole,
  },
  current_account: {
    label: 'All',
    description: 'Everything in the current account that the caller may see.',
    where: whole,
  },
  enabled: { description: 'Of these, what is not disabled.', where: () => [{ field: 'disabled', is: [false] }] },
  disabled: { description: 'Of these, what is disabled.', where: () => [{ field: 'disabled', is: [true] }] },
  open: { description: 'Of these, what is not closed.', where: open },
  active: { description: 'Of these, what is not closed.', where: open },
  completed: { description: 'Of these, what is closed.', where: closed },
  finished: { description: 'Of these, what is closed.', where: closed },
  solved: { description: 'Of these, what is closed.', where: closed },
  known_errors: {
    description: 'Of these, what is a known error.',
    audience: 'staff',
    where: () => [{ field: 'knownError', is: [true] }],
  },
  assigned_to_me: {
    description: 'Of these, what is assigned to the caller.',
    audience: 'staff',
    personal: true,
    where: namingCaller('member'),
  },
  assigned_to_my_team: {
    description: 'Of these, what is assigned to a team of the caller.',
    audience: 'staff',
    personal: true,
    where: () => [{ field: 'team', names: { type: 'team', field: 'members' } }],
  },
  open_to_me: {
    description: 'Of these, what is assigned to the caller and not closed.',
    audience: 'staff',
    rare: 'everybody',
    where: (type) => [{ field: 'member', names: 'caller' }, ...open(type)],
  },
  approval_by_me: {
    description: 'Of these, approvals that are assigned to the caller and no longer only registered.',
    audience: 'staff',
    where: () => [
      { field: 'member', names: 'caller' },
      { field: 'category', is: ['approval'] },
      { field: 'status', isNot: ['registered'] },
    ],
  },
  requested_by_or_for_me: {
    description: 'Of these, what was requested by or for the caller.',
    // To end users it is all that they see.
    audience: 'staff',
    personal: true,
    rare: 'staff',
    where: namingCaller('owners'),
  },
  waiting_for_me: {
    description: 'Of these, what the caller requested and what waits for them.',
    rare: 'staff',
    where: () => [
      { field: 'requestedBy', names: 'caller' },
      { field: 'status', is: ['waiting_for_customer'] },
    ],
  },
  managed_by_me: {
    description: 'Of these, what the caller manages; of tasks, those of what the caller manages.',
    audience: 'staff',
    personal: true,
    where: managedByCaller,
  },
  my_teams: { description: 'Of these, the teams that the caller is a member of.', where: namingCaller('members') },
  archive: {
    description: 'What is archived in the current account, as far as the caller may see it.',
    rare: 'everybody',
    where: whole,
  },
  trash: {
    description: 'What is in the trash of the current account; for its administrators.',
    audience: 'keepers',
    rare: 'everybody',
    where: whole,
  },
} as const satisfies Readonly<Record<string, ViewRule>>;

export type View = keyof typeof views;

/** The views of records that are not active. */
export const stateOfView: Readonly<Partial<Record<View, LifeCycleState>>> = { archive: 'archived', trash: 'trashed' };

/** The views of a type: the whole list, those of what can be disabled, and its own. */
export const viewsOf = ({ views: own, fields }: Pick<RecordType, 'views' | 'fields'>): readonly View[] => [
  'all',
  'current_account',
  ...standingViews(fields).map(({ name }) => name as View),
  ...own,
  ...(Object.keys(stateOfView) as View[]),
];

/** The statuses from which the step can be done. */
export const statusesFor = ({ fields, closed = [] }: Viewed, { from }: OwnerStep): readonly string[] =>
  fields
    .flatMap((field) => (field.name === 'status' && field.kind === 'choice' ? field.choices : []))
    .filter((status) => closed.includes(status) === (from === 'closed'));

/** A lookup by record type; throws for an unknown type. */
export const ofType =
  <T>(things: ReadonlyMap<RecordType['name'], T>) =>
  (typeName: RecordType['name']): T => {
    const thing = things.get(typeName);
    if (thing === undefined) throw new Error(`There is no record type ${typeName}`);
    return thing;
  };
