import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';

/** The security log in the GraphQL API. */
export const securityLogTypeDefs = /* GraphQL */ `
  extend type Query {
    "What happened to access in the current account, newest first. Administrators see everything, other people the entries about themselves or their own actions."
    securityLog(${connectionArguments}, filter: SecurityLogFilter): SecurityLogEntryConnection
  }

  "Conditions on entries; all of them must match."
  input SecurityLogFilter {
    event: SecurityLogEventFilter
    "It happened to this person, or was done by them."
    personId: ID
    "Signs of theft only, or everything else."
    alert: Boolean
  }

  "Any of the events; none of them with negate."
  input SecurityLogEventFilter {
    values: [String]!
    negate: Boolean
  }

  type SecurityLogEntry implements Node @key(fields: "id") {
    id: ID!
    "For example authorization.granted."
    event: String!
    title: String!
    "Whether it is a sign of theft."
    alert: Boolean!
    createdAt: ISO8601Timestamp!
    "Whom it happened to; null when the current account does not see them any more."
    person: Person
    personName: String
    "Who did it."
    actor: Person
    actorName: String
    applicationName: String
    clientID: String
    ip: String
    userAgent: String
    requestID: String
    facts: [SecurityLogFact!]!
  }

  type SecurityLogFact {
    name: String!
    values: [String!]!
  }

  ${connectionTypeDefs('SecurityLogEntry')}
`;
