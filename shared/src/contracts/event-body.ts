import { z } from 'zod';
import type { RecordAction, RecordKind } from './record-kinds';

const reference = z.object({
  id: z.int(),
  nodeID: z.string(),
  name: z.string(),
  sourceID: z.string().optional(),
  disabled: z.literal(true).optional(),
  account: z.object({ id: z.string(), name: z.string() }).optional(),
});
/** A record or person that another record refers to. */
export type Reference = z.infer<typeof reference>;

const customValue = z.object({ id: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) });

/** Where the owner of a record takes a member from. */
export type PayloadSource =
  /** The text in a field, or what it was before the change. */
  | { readonly field: string }
  | { readonly before: string }
  /** The list of values in a field of custom fields. */
  | { readonly custom: string }
  /** What a field refers to, and its GraphQL type. */
  | { readonly reference: string; readonly type: 'Team' | 'Person' }
  /** What the write added to the record. */
  | { readonly entry: 'note' | 'auditLine'; readonly show: 'id' | 'nodeID' };

interface Member {
  readonly schema: z.ZodType;
  readonly from: PayloadSource;
  /** The kinds of record that can have it; all when absent. */
  readonly of?: (kind: RecordKind) => boolean;
  /** The actions whose events can have it; all when absent. */
  readonly on?: (action: RecordAction) => boolean;
  /** The text in test deliveries. */
  readonly sample?: (kind: RecordKind) => string;
  /** When it is present, for the docs. */
  readonly when: string;
}

const isAudited = {
  of: ({ service }: RecordKind) => service === 'graph',
  on: (action: RecordAction) => action !== 'note-added',
};
const hasNotes = ({ events }: RecordKind): boolean => events.includes('note-added');
const hasStatus = ({ statuses }: RecordKind): boolean => statuses !== undefined;
const hasCustomFields = ({ customFields }: RecordKind): boolean => customFields === true;
const isAssignable = ({ assignable }: RecordKind): boolean => assignable === true;

const audited =
  'the event caused an audit entry; adding a note or time spent causes none: `.note-added` never has it, and people have none';
const noted = 'the write added a note; then every event of that write has it, such as `.create` and `.update`';
const referred =
  '`id`, `nodeID`, `name`, `account` (`id`, `name`), `sourceID` when there is one, `disabled` when it is true';

/**
 * The members of `payload` in a webhook body, which are absent when they do not apply (spec: Webhook delivery body). The
 * wire type, what the owners of records send, test deliveries and the docs are derived from this table.
 */
export const payloadMembers = {
  audit_line_id: { schema: z.int(), from: { entry: 'auditLine', show: 'id' }, ...isAudited, when: audited },
  audit_line_nodeID: { schema: z.string(), from: { entry: 'auditLine', show: 'nodeID' }, ...isAudited, when: audited },
  note_id: { schema: z.int(), from: { entry: 'note', show: 'id' }, of: hasNotes, when: noted },
  note_nodeID: { schema: z.string(), from: { entry: 'note', show: 'nodeID' }, of: hasNotes, when: noted },
  source: { schema: z.string(), from: { field: 'source' }, when: 'the record has one' },
  sourceID: { schema: z.string(), from: { field: 'sourceID' }, when: 'the record has one' },
  status: {
    schema: z.string(),
    from: { field: 'status' },
    of: hasStatus,
    sample: ({ statuses }) => statuses?.[0] ?? 'sample',
    when: 'the record type has a status',
  },
  previous_status: {
    schema: z.string(),
    from: { before: 'status' },
    of: hasStatus,
    on: (action) => action === 'status-changed',
    sample: ({ statuses }) => statuses?.[1] ?? 'sample',
    when: 'the event is a `.status-changed`',
  },
  custom_fields: {
    schema: z.array(customValue),
    from: { custom: 'customFields' },
    of: hasCustomFields,
    when: 'the record has values of custom fields: a list of `id` and `value`',
  },
  team: {
    schema: reference,
    from: { reference: 'team', type: 'Team' },
    of: isAssignable,
    when: `the record has a team: ${referred}`,
  },
  member: {
    schema: reference,
    from: { reference: 'member', type: 'Person' },
    of: isAssignable,
    when: `the record has a member: ${referred}`,
  },
} as const satisfies Readonly<Record<string, Member>>;

type Members = typeof payloadMembers;
/** The `payload` of a webhook body. */
export type RecordPayload = { readonly [M in keyof Members]?: z.output<Members[M]['schema']> | undefined };

const entries = Object.entries<Member>(payloadMembers);

/** The schema of `RecordPayload`. */
export const recordPayload = z.object(
  Object.fromEntries(entries.map(([name, { schema }]) => [name, schema.optional()])),
) as unknown as z.ZodType<RecordPayload>;

/** The payload of the event of an action; `valueOf` gives undefined for a member that the record does not have. */
export const payloadFor = (action: RecordAction, valueOf: (member: Member) => unknown): RecordPayload =>
  Object.fromEntries(
    entries.flatMap(([name, member]) => {
      const value = member.on?.(action) === false ? undefined : valueOf(member);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

interface Sample {
  readonly kind: RecordKind;
  /** The id of everything in the sample. */
  readonly id: number;
  readonly nodeIdOf: (type: string, id: number) => string;
  readonly account: { readonly id: string; readonly name: string };
}

/** A payload with every member that an event of this action can have. */
export const samplePayload = (action: RecordAction, { kind, id, nodeIdOf, account }: Sample): RecordPayload =>
  payloadFor(action, ({ from, of, sample }) => {
    if (of?.(kind) === false) return undefined;
    if ('entry' in from) return from.show === 'id' ? id : nodeIdOf(from.entry === 'note' ? 'Note' : 'AuditLine', id);
    if ('custom' in from) return [{ id: 'sample', value: 'sample' }];
    if (!('reference' in from)) return sample?.(kind) ?? 'sample';
    return { id, nodeID: nodeIdOf(from.type, id), name: `Sample ${from.reference}`, sourceID: 'sample', account };
  });

/** The fields whose references a payload shows, with the GraphQL types of what they refer to. */
export const shownReferences = entries.flatMap(([, { from }]) => ('reference' in from ? [from] : []));
