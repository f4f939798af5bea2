/** That a field has one of these values; of a field with several values, that one of them is among these. */
export interface Condition {
  readonly field: string;
  readonly is: string | readonly string[];
}

/** Whether the condition holds for the value of its field. */
export const holds = ({ is }: Pick<Condition, 'is'>, value: unknown): boolean =>
  [value].flat().some((one) => [is].flat().includes(String(one)));

/** What a value means to its reader: that all is well or wrong, that somebody works, or that something waits. */
export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet' | 'draft';

/** A value of a choice in words. */
export interface WordDescription {
  readonly value: string;
  readonly label: string;
  readonly note?: string | undefined;
  readonly tone?: Tone | undefined;
  /** Of a status: what those read who asked for the work, and what happens next. */
  readonly plain?: string | undefined;
  readonly next?: string | undefined;
  /** Of a status: the fields that are asked for together with it. */
  readonly asks?: readonly string[] | undefined;
}

/** A part of a list that has a name. */
export interface ViewDescription {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** Who has a use for it: those who work with the account's records, or those who keep them; everybody when absent. */
  readonly audience?: 'staff' | 'keepers' | undefined;
  /** It depends on the caller. */
  readonly personal?: true | undefined;
  /** `everybody`: few look for it; `staff`: of those who work with the records few do. */
  readonly rare?: 'everybody' | 'staff' | undefined;
}

/** What those to whom a record belongs may do with it, though they may not change it. */
export interface StepDescription {
  /** `POST /v1/requests/:id/<name>`, and `request<Name>` in GraphQL. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** What it says when it was done. */
  readonly done: string;
  /** The statuses from which it can be done. */
  readonly from: readonly string[];
  /** For how many days after the time in a field. */
  readonly within?: { readonly days: number; readonly field: string } | undefined;
  /** It cannot be done while a field has one of these values. */
  readonly unless: readonly (Condition & { readonly problem: string })[];
  /** It needs a note that says why. */
  readonly asksNote: boolean;
  /** Flags that its input may have. */
  readonly flags: readonly { readonly name: string; readonly label: string }[];
}

/** A field of a type, for forms, lists and histories; members that say nothing are absent. */
export interface FieldDescription {
  /** In GraphQL; REST's in answers is `rest`. */
  readonly name: string;
  readonly rest: string;
  /** Its names in inputs of GraphQL and in bodies and filters of REST; absent when no client writes it. */
  readonly input?: string | undefined;
  readonly restInput?: string | undefined;
  /** Of a secret: the flag in answers that says whether there is one. */
  readonly has?: string | undefined;
  readonly label: string;
  readonly help?: string | undefined;
  readonly kind:
    | 'text'
    | 'flag'
    | 'integer'
    | 'timestamp'
    | 'date'
    | 'choice'
    | 'reference'
    | 'account'
    | 'secret'
    | 'shape'
    | 'derived';
  /** Of a reference: the GraphQL type. */
  readonly refersTo?: string | undefined;
  /** A list of such values; of a connection in GraphQL when it refers to records. */
  readonly many?: true | undefined;
  readonly group?: string | undefined;
  readonly audience: 'everybody' | 'staff' | 'machine';
  /** Of a choice: its values, in their order. */
  readonly words?: readonly WordDescription[] | undefined;
  /** A record always has a value. */
  readonly required: boolean;
  /** No answer has it. */
  readonly writeOnly?: true | undefined;
  /** A new record has no default for it. */
  readonly mustBeGiven?: true | undefined;
  readonly written: 'always' | 'on_create' | 'on_change' | 'never';
  readonly filterable: boolean;
  readonly sortable: boolean;
  readonly default?: unknown;
  /** Of a text, in characters; of code in bytes. */
  readonly maxLength?: number | undefined;
  readonly lines?: 'many' | undefined;
  /** Of a record: its files are in `<name>Attachments`, of REST in `<rest>_attachments` of a write. */
  readonly takesFiles?: true | undefined;
  /** How many texts there may be. */
  readonly most?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** It matters only then. */
  readonly when?: Condition | undefined;
  /** It must have a value then; what is refused `otherwise` follows the label. */
  readonly needed?: (Condition & { readonly otherwise: string }) | undefined;
}

/** What a type is, in words and names and without data: `GET /v1/types`. */
export interface TypeDescription {
  readonly name: string;
  readonly graphqlName: string;
  readonly plural: string;
  /** The collection in REST: `/v1/webhooks`, or `/v1/oauth_applications/:id/tokens` of what is part of a record. */
  readonly path: string;
  /** The type of which its records are parts, and the field there that has them. */
  readonly within?: { readonly name: string; readonly field: string } | undefined;
  /** The member of payloads and the beginning of mutations in GraphQL: `oauthApplication`. */
  readonly member: string;
  /** The connection in GraphQL; what is part of other records has none. */
  readonly rootField?: string | undefined;
  readonly label: string;
  readonly labelPlural: string;
  readonly description: string;
  /** The field that names a record. */
  readonly title?: string | undefined;
  readonly groups: readonly { readonly name: string; readonly label: string }[];
  /** In the order of answers and forms. */
  readonly fields: readonly FieldDescription[];
  readonly orders: readonly string[];
  /** The writes that exist, and the roles of which one is needed. */
  readonly writes: Readonly<Partial<Record<'create' | 'update' | 'delete', readonly string[]>>>;
  readonly hasNotes: boolean;
  readonly hasStatus: boolean;
  /** Parts of its list that have names: `view` in GraphQL, and `/v1/requests/<name>` in REST. */
  readonly views: readonly ViewDescription[];
  /** Of records: the statuses to which one may change; a status without an entry may change to any. */
  readonly transitions: readonly { readonly from: string; readonly to: readonly string[] }[];
  /** Of records: the statuses in which nothing is left to do. */
  readonly closed?: readonly string[] | undefined;
  /** Of records: the status that says that the member has taken the work up; those before it say that nobody has. */
  readonly takenUpAs?: string | undefined;
  /** Records are given to it as their `team`; people watch it for those that have no member. */
  readonly takesWork?: true | undefined;
  /** Of records: what those may do to whom a record belongs. */
  readonly steps?: readonly StepDescription[] | undefined;
  /** The fields that a list shows beside the title, in this order; pages have no list of the type when absent. */
  readonly columns?: readonly string[] | undefined;
  /** The fields in which words are looked for; the title when absent. */
  readonly search?: readonly string[] | undefined;
  /** `staff`: pages list it only for those who work with the account's records. */
  readonly audience?: 'staff' | undefined;
  /** Of records: fields that those may fill in who may create but not update; all when absent. */
  readonly othersFill?: readonly string[] | undefined;
  /** Of records: end users see those that refer to them in one of these; everything when absent. */
  readonly endUsersSee?: readonly string[] | undefined;
}
