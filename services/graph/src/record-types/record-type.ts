import type { Role } from '@itsm/shared/contracts/directory';
import { modelOf } from '@itsm/shared/contracts/record-kinds';
import type { RecordAction, RecordKindName } from '@itsm/shared/contracts/record-kinds';
import type { Values } from './values';

interface Named {
  /** The name in GraphQL, the store and audit lines: `requestedBy`. */
  readonly name: string;
  /** The label that people see: `Requested by`. */
  readonly label: string;
  readonly required?: true;
  /** Set by the platform only, never by a client. */
  readonly readOnly?: true;
  /** Clients can filter by it; it gets an index. */
  readonly filterable?: true;
  /** Clients can order by it; it gets an index. */
  readonly sortable?: true;
}

/** A text, time, date or boolean. */
export interface PlainField extends Named {
  readonly kind: 'flag' | 'timestamp' | 'date';
}

export interface TextField extends Named {
  readonly kind: 'text';
  /** In characters. */
  readonly maxLength: number;
}

export interface IntegerField extends Named {
  readonly kind: 'integer';
  readonly max: number;
  /** Changes cause no audit line (spec: Webhook delivery body, "filling Time spent, causes none"). */
  readonly unaudited?: true;
}

export interface ChoiceField extends Named {
  readonly kind: 'choice';
  /** The GraphQL enum of the choices. */
  readonly enumName: string;
  readonly choices: readonly string[];
}

/** People of the directory, stored by id; `inverse` is the person's connection back to the records. */
export interface PersonField extends Named {
  readonly kind: 'person' | 'people';
  readonly inverse?: string;
}

/**
 * A record of another type in the same account, stored by id; `inverse` is its connection back to the records that
 * refer to it.
 */
export interface RecordField extends Named {
  readonly kind: 'record';
  /** From the table of record kinds: `kind('project')`. */
  readonly to: Kind;
  readonly inverse?: string;
}

/** The account itself or one in mutual trust with it; stored by id. */
export interface AccountField extends Named {
  readonly kind: 'account';
  readonly as: 'provider' | 'customer';
}

export type Field = PlainField | TextField | IntegerField | ChoiceField | PersonField | RecordField | AccountField;

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

/** The members of a declaration that the table of record kinds contains. */
export type Kind = Pick<RecordType, 'name' | 'graphqlName' | 'plural' | 'events'>;

/**
 * The declaration of a record type: schema, storage, API and events are derived from it. The first members come from
 * the table of record kinds: `...kind('request')`.
 */
export interface RecordType {
  readonly name: RecordKindName;
  readonly graphqlName: string;
  /** Collection and REST path segment; the GraphQL root field is the same in camel case unless `rootField` says otherwise. */
  readonly plural: string;
  readonly rootField?: string;
  /** Events for which webhooks can be registered; other changes cause `update` only. */
  readonly events: readonly RecordAction[];
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

/** `projectTask`: the payload member and the prefix of mutation names. */
export const memberName = (type: RecordType): string =>
  type.graphqlName.charAt(0).toLowerCase() + type.graphqlName.slice(1);

/** `projectTaskId`: the number of a record beside its node id, as clients of compatible services know it. */
export const numberName = (type: RecordType): string => `${memberName(type)}Id`;

/** `projectTasks`: the root field of the connection. */
export const rootField = (type: RecordType): string =>
  type.rootField ?? type.plural.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The resource name in scope actions, in kebab-case. */
export const modelName = (type: Pick<RecordType, 'name'>): string => modelOf(type.name);

const inputSuffix: Partial<Record<Field['kind'], string>> = {
  person: 'Id',
  record: 'Id',
  account: 'Id',
  people: 'Ids',
};

/** The field's name in inputs: references end in `Id`. */
export const inputName = (field: Field): string =>
  (field.kind === 'people' ? field.name.replace(/s$/, '') : field.name) + (inputSuffix[field.kind] ?? '');

/** The field's name in REST: `requestedBy` becomes `requested_by`; `sourceID` stays. */
export const restName = (name: string): string =>
  name.replace(/[A-Z](?=[a-z])/g, (letter) => `_${letter.toLowerCase()}`);

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
} as const;

export type View = keyof typeof views;

/** The reference by which a view selects. */
export const fieldOfView: Readonly<Partial<Record<View, string>>> = {
  assigned_to_me: 'member',
  assigned_to_my_team: 'team',
  managed_by_me: 'manager',
  my_teams: 'members',
};

export const viewsOf = (type: { readonly views: readonly View[] }): readonly View[] => [
  'all',
  'current_account',
  ...type.views,
];

/** A lookup by record type; throws for an unknown type. */
export const ofType =
  <T>(things: ReadonlyMap<RecordType['name'], T>) =>
  (typeName: RecordType['name']): T => {
    const thing = things.get(typeName);
    if (thing === undefined) throw new Error(`There is no record type ${typeName}`);
    return thing;
  };
