import { GraphQLScalarType } from 'graphql';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import { ifVersionInput } from '@itsm/shared/declared/declared.sdl';
import { parseDay, writeDay } from '@itsm/shared/base/time/time-text';
import { connectionTypeDefs, idFields } from '@itsm/shared/api/graphql/schema';
import { mostMentions } from '../notices/mentions';
import { trashDays } from '../record-types/life-cycle';

const bounds = (scalar: string): string => `
    lessThan: ${scalar}
    lessThanOrEqualTo: ${scalar}
    greaterThan: ${scalar}
    greaterThanOrEqualTo: ${scalar}`;

const rangeFilter = (name: string, scalar: string): string => /* GraphQL */ `
  "All members that are given must hold."
  input ${name} {
    "Alternatives; null stands for no value."
    values: [${scalar}]
    negate: Boolean = false${bounds(scalar)}
  }
`;

const valueFilter = (name: string, scalar: string): string => /* GraphQL */ `
  input ${name} {
    "Alternatives; null stands for no value."
    values: [${scalar}]!
    negate: Boolean = false
  }
`;

const trailFields = /* GraphQL */ `
    ${idFields}
    "The record it belongs to."
    record: Node
    "Who did it; empty for the platform itself."
    person: Person
    createdAt: ISO8601Timestamp!
`;

/**
 * SDL that all record types share: filters, validation errors, notes, audit lines, and references to people and
 * accounts of auth.
 */
export const recordSharedTypeDefs = /* GraphQL */ `
  "ISO 8601 date, for example 2026-03-18."
  scalar ISO8601Date

  type Account @key(fields: "id", resolvable: false) {
    id: ID!
  }

  type UiExtension @key(fields: "id") {
    id: ID!
    "For administrators: how many of the latest 1,000 records of each type have custom fields that the active form no longer has, or takes otherwise. An activation counts some moments later; null before the first one."
    unfitRecords: Int
  }

  "Any value of JSON."
  scalar JSON

  "The value of one field of the form of a record's UI extension."
  type CustomField {
    "The id of the field."
    id: ID!
    "A text, a number or a truth."
    value: JSON
  }

  input CustomFieldInput {
    "The id of the field."
    id: ID!
    "Null or absent empties the field. Fields that are not named keep their values."
    value: JSON
  }

  ${mutationTypeDefs}

  enum RecordLifeCycleState {
    active
    "Read by its id and where others refer to it, and not changed."
    archived
    "Deleted ${trashDays} days later, unless it is restored."
    trashed
  }

  "A record to archive, to trash or to restore."
  input RecordLifeCycleInput {
    id: ID!
    ${ifVersionInput}
    clientMutationId: String
  }

  enum RecordOrderDirection {
    asc
    desc
  }

  ${valueFilter('RecordTextFilter', 'String')}
  ${valueFilter('RecordIdFilter', 'ID')}
  "Selects by a custom field; equal values only."
  input RecordCustomFilter {
    "The id of the field."
    name: String!
    "Alternatives; numbers and truths as texts."
    values: [String!]!
    negate: Boolean = false
  }

  ${rangeFilter('RecordIntegerFilter', 'Int')}
  ${rangeFilter('RecordTimestampFilter', 'ISO8601Timestamp')}
  ${rangeFilter('RecordDateFilter', 'ISO8601Date')}

  "A text that was added to a record."
  type Note implements Node @key(fields: "id") {
    ${trailFields}
    text: String!
    "Whether only those who work with the account's records see it; end users and key contacts do not."
    internal: Boolean!
    attachments: [Attachment!]!
    "Whom the text names as \`@[Ellen Brown](person:<id>)\`, of the people of the directory; further than ${mostMentions} are only text."
    mentions: [Person!]
  }

  "A file of a note, or of a text of a record."
  type Attachment {
    id: ID!
    "Names the file in its text, as in \`![](key)\`."
    key: String!
    name: String!
    "In bytes."
    size: Int!
    "Whether it is a picture that stands in the text."
    inline: Boolean!
    "By the content of the file: a picture, a PDF, or application/octet-stream."
    contentType: String!
    "Signed; it expires after one to two hours."
    url: String!
  }

  "Who changed what of a record."
  type AuditLine implements Node @key(fields: "id") {
    ${trailFields}
    "create or update."
    action: String!
    changes: [AuditChange!]!
  }

  "One field that changed; what is not a text is written as in REST, records and people by their ids."
  type AuditChange {
    field: String!
    from: String
    to: String
  }

  ${connectionTypeDefs('Person')}
  ${connectionTypeDefs('Note')}
  ${connectionTypeDefs('AuditLine')}

  "A file that the caller has uploaded, to add to a text; it can be in one place. Or a file to take away."
  input AttachmentInput {
    key: String!
    "Whether it is a picture that stands in the text as \`![](key)\`."
    inline: Boolean = false
    "In bytes; when given, it must be that of the file."
    size: Int
    "Deletes the file, which the text has."
    destroy: Boolean = false
  }

  "A file that the caller has uploaded; it can be in one place."
  input NoteAttachmentInput {
    key: String!
    "Whether it is a picture that stands in the text as \`![](key)\`."
    inline: Boolean = false
    "In bytes; when given, it must be that of the file."
    size: Int
  }

  input NoteCreateInput {
    "The record to add the note to."
    recordId: ID!
    text: String!
    "For those who work with the account's records, who alone may add such a note."
    internal: Boolean = false
    attachments: [NoteAttachmentInput!]
    clientMutationId: String
  }

  type NoteCreatePayload {
    "Null when the input was refused."
    note: Note
    errors: [ValidationError!]!
    clientMutationId: String
  }

  extend type Mutation {
    "Adds a note to a record that the caller sees."
    noteCreate(input: NoteCreateInput!): NoteCreatePayload
  }
`;

/** A date without a time, stored as midnight UTC. */
export const dateScalar = new GraphQLScalarType<Date, string>({
  name: 'ISO8601Date',
  serialize: (value) => writeDay(value as Date),
  parseValue(value) {
    const parsed = parseDay(typeof value === 'string' ? value : '');
    if ('time' in parsed) return parsed.time;
    throw new TypeError('An ISO8601Date is written like 2026-03-18');
  },
});

/** Values of custom fields; what a form takes of them, its rules say. */
export const jsonScalar = new GraphQLScalarType<unknown, unknown>({ name: 'JSON' });
