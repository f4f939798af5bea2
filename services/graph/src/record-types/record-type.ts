import type { Role } from '@itsm/shared/contracts/directory';
import { modelOf } from '@itsm/shared/contracts/record-kinds';
import type { Field, RecordTypeKind } from '@itsm/shared/declared/language';
import { memberName } from '@itsm/shared/declared/names';
import type { Values } from '@itsm/shared/declared/values';

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
  /** In addition to `all` and `current_account`, which every type has. */
  readonly views: readonly View[];
  /** What end users and key contacts see: everything, nothing, or records that refer to them in one of these fields. */
  readonly endUsersSee: 'all' | 'none' | readonly string[];
  /** The person's connection to the records that refer to them in one of these fields. */
  readonly ofPerson?: string;
  readonly hasNotes?: true;
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

/** Named selections of a root connection; each is served by an index. */
export const views = {
  all: 'Everything that the caller may see, of other accounts as well.',
  current_account: 'Everything in the current account that the caller may see.',
  assigned_to_me: 'Of these, what is assigned to the caller.',
  assigned_to_my_team: 'Of these, what is assigned to a team of the caller.',
  requested_by_or_for_me: 'Of these, what was requested by or for the caller.',
  managed_by_me: 'Of these, what the caller manages.',
  my_teams: 'Of these, the teams that the caller is a member of.',
  archive: 'What is archived in the current account, as far as the caller may see it.',
  trash: 'What is in the trash of the current account; for its administrators.',
} as const;

export type View = keyof typeof views;

/** The views of records that are not active. */
export const stateOfView: Readonly<Partial<Record<View, LifeCycleState>>> = { archive: 'archived', trash: 'trashed' };

/** The reference by which a view selects. */
export const fieldOfView: Readonly<Partial<Record<View, string>>> = {
  assigned_to_me: 'member',
  assigned_to_my_team: 'team',
  managed_by_me: 'manager',
  my_teams: 'members',
};

export const viewsOf = (type: { readonly views: readonly View[] }): readonly View[] =>
  ['all', 'current_account', ...type.views, ...Object.keys(stateOfView)] as readonly View[];

/** A lookup by record type; throws for an unknown type. */
export const ofType =
  <T>(things: ReadonlyMap<RecordType['name'], T>) =>
  (typeName: RecordType['name']): T => {
    const thing = things.get(typeName);
    if (thing === undefined) throw new Error(`There is no record type ${typeName}`);
    return thing;
  };
