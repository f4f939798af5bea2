import type { Role } from '@itsm/shared/contracts/directory';
import { modelOf } from '@itsm/shared/contracts/record-kinds';
import type { RecordAction, RecordKindName } from '@itsm/shared/contracts/record-kinds';
import type { Values } from './values';

interface Named {
  /** As in GraphQL, the store and the audit lines: `requestedBy`. */
  readonly name: string;
  /** As people read it: `Requested by`. */
  readonly label: string;
  readonly required?: true;
  /** Set by the platform, never by a client. */
  readonly readOnly?: true;
  /** Can be filtered by; gets an index. */
  readonly filterable?: true;
  /** Can be ordered by; gets an index. */
  readonly sortable?: true;
}

/** Texts, moments, days and truths. */
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
  /** Leaves no audit line (spec: Webhook delivery body, "filling Time spent, causes none"). */
  readonly unaudited?: true;
}

export interface ChoiceField extends Named {
  readonly kind: 'choice';
  /** The GraphQL scalar that lists the choices in its description. */
  readonly scalar: string;
  readonly choices: readonly string[];
}

/** People of the directory, stored by id; `inverse` is the connection from a person back to the records. */
export interface PersonField extends Named {
  readonly kind: 'person' | 'people';
  readonly inverse?: string;
}

/** A record of another type in the same account, stored by id; `inverse` is the connection back to those that name it. */
export interface RecordField extends Named {
  readonly kind: 'record';
  readonly to: RecordKindName;
  readonly inverse?: string;
}

/** An account that trusts this one and is trusted by it, or this one itself; stored by id. */
export interface AccountField extends Named {
  readonly kind: 'account';
  readonly as: 'provider' | 'customer';
}

export type Field = PlainField | TextField | IntegerField | ChoiceField | PersonField | RecordField | AccountField;

export interface Moment {
  /** Who writes; null for the platform itself. */
  readonly personId: number | null;
  readonly accountId: string;
  readonly now: Date;
}

/** A field whose value does not fit the others: `{ field: 'endDate', problem: 'is before the start' }`. */
export interface Problem {
  readonly field: string;
  readonly problem: string;
}

/**
 * Everything that distinguishes one type of record from another; schema, storage, API and events come from it. The first members
 * are those of the table of record kinds: `...kind('request')`.
 */
export interface RecordType {
  readonly name: RecordKindName;
  readonly graphqlName: string;
  /** Collection and REST path segment; the GraphQL root field is the same in camel case unless `rootField` says otherwise. */
  readonly plural: string;
  readonly rootField?: string;
  /** What webhooks can be registered for; other changes cause `update` alone. */
  readonly events: readonly RecordAction[];
  readonly description: string;
  /** The first text field is the title: free text is looked for in it. */
  readonly fields: readonly Field[];
  /** Beyond `all` and `current_account`, which every type has. */
  readonly views: readonly View[];
  /** What end users and key contacts see: everything, nothing, or the records that name them in one of these fields. */
  readonly endUsersSee: 'all' | 'none' | readonly string[];
  /** The connection from a person to the records that name them in one of these fields. */
  readonly ofPerson?: string;
  readonly hasNotes?: true;
  /** Pairs of a filter and an order that are asked for together so often that they have an index. */
  readonly indexedTogether?: readonly (readonly [filter: string, order: string])[];
  /** Who may create and update through the API; an absent operation is not offered. */
  readonly mutations: { readonly create?: readonly Role[]; readonly update?: readonly Role[] };
  /** The fields that those may fill in who may create records but not update them; all when absent. */
  readonly othersFill?: readonly string[];
  /** Where a status may go; a status that is not listed may go anywhere. */
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
  /** What fits no single field; `values` are complete. */
  check?(values: Values, moment: Moment): readonly Problem[];
  /** Fills in defaults and computed values before every write; `before` is absent on creation. */
  derive(values: Values, before: Values | undefined, moment: Moment): Values;
}

/** `projectTask`: the member of mutation payloads and the start of mutation names. */
export const memberName = (type: RecordType): string =>
  type.graphqlName.charAt(0).toLowerCase() + type.graphqlName.slice(1);

/** `projectTasks`: the root field of the collection. */
export const rootField = (type: RecordType): string =>
  type.rootField ?? type.plural.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The model of scope actions, in kebab-case. */
export const modelName = (type: Pick<RecordType, 'name'>): string => modelOf(type.name);

const inputSuffix: Partial<Record<Field['kind'], string>> = {
  person: 'Id',
  record: 'Id',
  account: 'Id',
  people: 'Ids',
};

/** How an input names the field: references end in `Id`. */
export const inputName = (field: Field): string =>
  (field.kind === 'people' ? field.name.replace(/s$/, '') : field.name) + (inputSuffix[field.kind] ?? '');

/** `requestedBy` is `requested_by` in REST; `sourceID` stays. */
export const restName = (name: string): string =>
  name.replace(/[A-Z](?=[a-z])/g, (letter) => `_${letter.toLowerCase()}`);

/** The person fields that make a record a person's own. */
export const ownersOf = ({ endUsersSee }: RecordType): readonly string[] =>
  typeof endUsersSee === 'string' ? [] : endUsersSee;

/** Named selections of a root connection; each is a question that an index answers. */
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

export const viewsOf = (type: { readonly views: readonly View[] }): readonly View[] => [
  'all',
  'current_account',
  ...type.views,
];
