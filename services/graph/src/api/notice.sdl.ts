import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';
import { noticeKinds, watchLevels } from '../notices/concerned';
import { noticeDays } from '../notices/notice.repository';
import type { RecordType } from '../record-types/record-type';
import { mostRead } from './notice-reading';

const enumOf = (name: string, values: Readonly<Record<string, string>>): string =>
  `enum ${name} {\n${Object.entries(values)
    .map(([value, text]) => `"${text}"\n${value}`)
    .join('\n')}\n}`;

/** Whether people choose which notices they get of a record of the type. */
export const isWatched = ({ hasNotes, takesWork }: RecordType): boolean => hasNotes === true || takesWork === true;

/** SDL of notices, and of watching records of the types that have notes. */
export const noticeTypeDefs = (types: readonly RecordType[]): string =>
  [
    /* GraphQL */ `
  "Why the caller is notified of something."
  ${enumOf('NoticeKind', noticeKinds)}

  "Which notices of a record somebody gets."
  ${enumOf('WatchLevel', watchLevels)}

  "What concerns the caller of a record, for one reason; kept for ${noticeDays} days."
  type Notice {
    "Another one whenever it happens again, so that what was not seen yet stays unread."
    id: ID!
    kind: NoticeKind!
    "How often it happened since it was read."
    count: Int!
    "When it happened last."
    at: ISO8601Timestamp!
    "Who did it last; empty for the platform itself."
    by: Person
    unread: Boolean!
    "Null when the caller no longer sees it."
    record: NoticeRecord
  }

  "The record of a notice, whatever its type."
  type NoticeRecord {
    id: ID!
    number: Int!
    "Its type in GraphQL: \`Request\`."
    type: String!
    title: String!
    status: String
  }

  ${connectionTypeDefs('Notice')}

  input NoticeFilter {
    unread: Boolean
  }

  extend type Query {
    "What concerns the caller, in the order in which it happened: \`last: 20\` are the newest."
    notices(${connectionArguments}, filter: NoticeFilter): NoticeConnection
  }

  "Exactly one of \`ids\`, \`recordId\` and \`until\`."
  input NoticesReadInput {
    "At most ${mostRead}."
    ids: [ID!]
    "All of this record."
    recordId: ID
    "This one, and all that happened before."
    until: ID
    clientMutationId: String
  }

  type NoticesReadPayload {
    "How many are left unread; null when the input was refused."
    unread: Int
    errors: [ValidationError!]!
    clientMutationId: String
  }

  input WatchUpdateInput {
    "A record with notes, or a team."
    id: ID!
    level: WatchLevel!
    clientMutationId: String
  }

  type WatchUpdatePayload {
    level: WatchLevel
    errors: [ValidationError!]!
    clientMutationId: String
  }

  extend type Mutation {
    "Marks notices of the caller as read."
    noticesRead(input: NoticesReadInput!): NoticesReadPayload
    "Chooses which notices the caller gets of a record that they see. A team is watched, or not (\`own\`), by those who work with the account's records."
    watchUpdate(input: WatchUpdateInput!): WatchUpdatePayload
  }
`,
    ...types.filter(isWatched).map(
      ({ graphqlName }) => /* GraphQL */ `
  extend type ${graphqlName} {
    "Which notices of it the caller gets."
    watching: WatchLevel!
  }
`,
    ),
  ].join('\n');
