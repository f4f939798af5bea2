import type { z } from 'zod';
import type { Role } from '../contracts/directory';
import type { RecordAction, RecordKindName } from '../contracts/record-kinds';
import type { Condition, ViewDescription, WordDescription } from './description';

/** The members of a type's declaration that the tables of kinds contain; references name their target by it. */
export interface Kind<Name extends string = string> {
  readonly name: Name;
  /** The GraphQL type, also in node ids: `ProjectTask`. */
  readonly graphqlName: string;
  /** Collection and REST path segment: `project_tasks`. */
  readonly plural: string;
}

/** A kind of record with its events. */
export interface RecordTypeKind extends Kind<RecordKindName> {
  /** The name of several on pages: `Project tasks`. */
  readonly labelPlural: string;
  /** Events for which webhooks can be registered; other changes cause `update` only. */
  readonly events: readonly RecordAction[];
}

interface Named {
  /** The name in GraphQL and in code: `requestedBy`; REST's follows from it. */
  readonly name: string;
  /** The label that people see, with which refusals begin: `Requested by`. */
  readonly label: string;
  /** Describes the field in the schema. */
  readonly help?: string;
  readonly required?: true;
  /**
   * `on create`: it cannot be changed later. `on change`: a new record has its default. `never`: set by the platform
   * only. Without it clients write it always.
   */
  readonly written?: 'on create' | 'on change' | 'never';
  /** `on request`: collections in REST show it only when `fields` names it. */
  readonly shown?: 'on request';
  /** What a record has whose document, of an earlier release, lacks the field; null when absent. */
  readonly older?: string | boolean | readonly never[];
  /** Clients can filter by it; it gets an index. */
  readonly filterable?: true;
  /** Clients can order by it; it gets an index. */
  readonly sortable?: true;
  /** The property of the stored document, where it has another name. */
  readonly stored?: string;
  /** The repository stores and reads it by itself. */
  readonly isStoredApart?: true;
  /** A member of inputs alone: the use case does with it what it must. */
  readonly isInputOnly?: true;
  /** A new record needs it from the caller: the schema says so. */
  readonly mustBeGiven?: true;
  /** Changes cause no audit line. */
  readonly unaudited?: true;
  /** Headers of its column in files of comparable services, beside its label and its names: `Change`. */
  readonly headers?: readonly string[];
  /** The part of forms in which it is, by its name in `groups`. */
  readonly group?: string;
  /**
   * `machine`: people have no use for it, as for the origin of a record in another system. `everybody`: those who asked
   * for the work have a use for it too, and not only those who do it.
   */
  readonly audience?: 'everybody' | 'machine';
  /** Forms show it only then. What it is otherwise, the rules of the service say. */
  readonly when?: Condition;
  /** It must have a value then; `otherwise` is the refusal: `is required for token exchange`. */
  readonly needed?: Condition & { readonly otherwise: string };
  /** Not everybody who sees the record sees it: null for others, whom the service knows. */
  readonly isRestricted?: true;
}

/** A value of a choice as people read it: its label, where that is not its name with blanks, or more. */
export type Word = string | Partial<Omit<WordDescription, 'value'>>;

export interface FlagField extends Named {
  readonly kind: 'flag';
  /** The value of a new record that gives none. */
  readonly default?: boolean;
}

interface MomentField extends Named {
  readonly kind: 'timestamp' | 'date';
}

export interface TextField extends Named {
  readonly kind: 'text';
  /** In characters; of code in bytes of UTF-8. */
  readonly maxLength: number;
  /** Forms have several lines for it. */
  readonly lines?: 'many';
  /** Kept as it is, blanks and an empty text too. */
  readonly isCode?: true;
  /** The value of a new record that gives none, and of one whose text is emptied. */
  readonly default?: string;
  /** Kept character by character: blanks around it are not removed. */
  readonly exact?: true;
  /** Why the text is refused; undefined when it is not. */
  readonly check?: (text: string) => string | undefined;
  /** The value to keep in its place, or why there is none. */
  readonly read?: (text: string) => { readonly value: string } | { readonly problem: string };
  /** What is shown, and kept in audit lines, instead of a text with a secret. */
  readonly mask?: (text: string) => string;
}

export interface IntegerField extends Named {
  readonly kind: 'integer';
  /** 0 when absent. */
  readonly min?: number;
  readonly max: number;
}

export interface ChoiceField extends Named {
  readonly kind: 'choice';
  /** The GraphQL enum of the choices. */
  readonly enumName: string;
  /** The GraphQL type is a scalar: the choices are no names of GraphQL, or grow. */
  readonly isScalar?: true;
  readonly choices: readonly string[];
  readonly words?: Readonly<Record<string, Word>>;
  /** Why another value is refused, where naming all choices would not help. */
  readonly otherwise?: string;
  /** The value of a new record that gives none. */
  readonly default?: string;
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
  readonly to: RecordTypeKind;
  readonly inverse?: string;
}

/** The account itself or one in mutual trust with it; stored by id. */
export interface AccountField extends Named {
  readonly kind: 'account';
  readonly as: 'provider' | 'customer';
}

/** Several of a few words, as a list of texts. */
export interface ChoicesField extends Named {
  readonly kind: 'choices';
  /** The label of one of them. */
  readonly one: string;
  readonly choices: readonly string[];
  readonly words?: Readonly<Record<string, Word>>;
  /** The GraphQL enum of the choices, which the service defines; texts when absent. */
  readonly enumName?: string;
  /** The list may be empty. */
  readonly mayBeEmpty?: true;
  /** The value of a new record that gives none. */
  readonly default?: readonly string[];
}

/** A list of texts, of which none is twice in it. */
export interface TextsField extends Named {
  readonly kind: 'texts';
  /** The label of one of them. */
  readonly one: string;
  /** How many there may be. */
  readonly most: number;
  /** Of one text, in characters. */
  readonly maxLength: number;
  /** Why one text is refused; undefined when it is not. */
  readonly check?: (text: string) => string | undefined;
  /** The value of a new record that gives none. */
  readonly default?: readonly string[];
}

/** A value of a form of its own; its messages are whole sentences. */
export interface ShapeField extends Named {
  readonly kind: 'shape';
  readonly schema: z.ZodType;
  /** The GraphQL types of output and input. */
  readonly type: string;
  readonly inputType: string;
  /** What it accepts, in words. */
  readonly words: string;
  /** The value of a new record that gives none. */
  readonly default?: readonly never[];
}

/** A text that is stored sealed, and never shown. The service seals it. */
export interface SecretField extends Named {
  readonly kind: 'secret';
  readonly maxLength: number;
  /** The property of the record that has the sealed text: `sealedClientSecret`. */
  readonly property: string;
  /** The name of the flag that both edges show: `hasClientSecret`. */
  readonly has: string;
}

/** Whether the record is disabled; kept as the time since when it is. The service sets it. */
export interface StandingField extends Named {
  readonly kind: 'standing';
  /** The property of the record that has the time. */
  readonly property: 'disabledAt';
}

/** A record of a type that administrators edit; stored by id. */
export interface ReferenceField extends Named {
  readonly kind: 'reference';
  readonly to: Kind;
}

/** The values of the fields of a form, by their ids. The form is that of a UI extension, and known only when it runs. */
export interface CustomField extends Named {
  readonly kind: 'custom';
}

/** Kinds of fields whose values have a form of their own in each service. Of these, records of graph have references. */
export type SettingField = ReferenceField | ChoicesField | TextsField | ShapeField | SecretField | StandingField;

export type Field =
  | FlagField
  | MomentField
  | TextField
  | IntegerField
  | ChoiceField
  | PersonField
  | RecordField
  | AccountField
  | ReferenceField
  | CustomField;

/** What is shown but not stored as it is; a function beside the declaration computes it. */
export interface DerivedField extends Named {
  readonly kind: 'derived';
  /** The GraphQL type: `String!`. */
  readonly type: string;
  readonly written: 'never';
  /** The GraphQL type of its filter: it is also stored, by the repository, under its name. */
  readonly filter?: string;
}

/** The words of a view that are not those of its name. */
interface Words extends Partial<Pick<ViewDescription, 'label' | 'audience' | 'rare'>> {
  readonly description: string;
}

/** The declaration of a type that administrators edit: its schema, inputs, REST form, stored form and changes follow. */
export interface Declaration extends Kind {
  /** The names of one and of several on pages: `Webhook policy`, `Webhook policies`. */
  readonly label: string;
  readonly labelPlural: string;
  /** The GraphQL description. */
  readonly description: string;
  /** The mutations that exist, each with its description. */
  readonly writes: { readonly [W in 'create' | 'update' | 'delete']?: string };
  /** The roles that may read; every caller with the scope where it says nothing. */
  readonly readers?: readonly Role[];
  /** The roles that may do each write; account administrators where it says nothing. */
  readonly editors?: { readonly [W in 'create' | 'update' | 'delete']?: readonly Role[] };
  /** Its records have a version, which every change raises: inputs can name the one that they change. */
  readonly isVersioned?: true;
  /** What null means in the input of a mutation for a field that cannot be empty; `default` is of a new record only. */
  readonly nullIs: 'refused' | 'absent' | 'default';
  /** In the order of answers, forms and docs. */
  readonly fields: readonly (StoredField | DerivedField)[];
  /** The parts of forms that are folded away at first, by name, with their labels. */
  readonly groups?: Readonly<Record<string, string>>;
  /** Its member in payloads and its root field, where they do not follow from the GraphQL type: `oauthApplication`. */
  readonly member?: string;
  /** The root fields that exist, with their descriptions; both when absent. */
  readonly reads?: { readonly list: string; readonly one?: string };
  /** The views of its list, with their descriptions; `current_account` alone when absent. See `viewsOf`. */
  readonly views?: Readonly<Record<string, string | Words>>;
  /** The fields that a list on pages shows beside the title, in this order; pages have no list of it when absent. */
  readonly columns?: readonly string[];
  /** `staff`: pages list it only for those who work with the account's records. */
  readonly audience?: 'staff';
  /** Its records are accounts: their ids are names, and without an id the caller's own is meant. */
  readonly isAccount?: true;
  /** Names of the fields in which `filter.query` looks for words; the filter then has the id too. */
  readonly search?: readonly string[];
  /**
   * Its records are parts of those of this type, which show them in the field `as`, in REST at the path of this name:
   * there are no root fields, and a deletion returns the whole.
   */
  readonly within?: Kind & { readonly member?: string; readonly as: string };
  /** `id`: a deletion returns the node id, and not the record. */
  readonly deleted?: 'id';
  /** Its records have no times of creation and change. */
  readonly isTimeless?: true;
}

/** A field with a value of its own in the document. */
export type StoredField = Field | SettingField;

/** Whether a record always has a value for it. */
export const isFilled = (field: StoredField | DerivedField): boolean =>
  field.required === true || 'default' in field || field.kind === 'standing';

export const isStored = (field: StoredField | DerivedField): field is StoredField =>
  field.kind !== 'derived' && !field.isInputOnly;

/** The fields that inputs can have. */
export const writableFields = ({ fields }: Pick<Declaration, 'fields'>): readonly StoredField[] =>
  fields.filter((field) => field.kind !== 'derived').filter(({ written }) => written !== 'never');

const settingKinds: readonly string[] = [
  'reference',
  'choices',
  'texts',
  'shape',
  'secret',
  'standing',
] satisfies SettingField['kind'][];

export const isSetting = (field: StoredField): field is SettingField => settingKinds.includes(field.kind);

/** Whether what is given differs from what is kept, so that the service converts it. */
export const isConveyed = (field: StoredField): field is SecretField | StandingField =>
  field.kind === 'secret' || field.kind === 'standing';

/** The declaration with members of some fields replaced, by the fields' names: for what depends on settings. */
export const withFields = <D extends Declaration>(
  type: D,
  replaced: Readonly<Record<string, Partial<StoredField>>>,
): D => ({
  ...type,
  fields: type.fields.map((field) => ({ ...field, ...replaced[field.name] })),
});
