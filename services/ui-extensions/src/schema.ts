import { parse } from 'graphql';
import { orderArgument } from '@itsm/shared/api/graphql/list-arguments';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import { connectionArguments, connectionTypeDefs, sharedTypeDefs } from '@itsm/shared/api/graphql/schema';

const inputFields = /* GraphQL */ `
  title: String
  category: String
  description: String
  disabled: Boolean
  source: String
  sourceID: String
  css: String
  html: String
  javascript: String
  formDefinition: String
  darkModeSafe: Boolean
  activate: Boolean
  clientMutationId: String
`;

/** This service's part of the GraphQL API. */
export const typeDefs = parse(/* GraphQL */ `
  ${sharedTypeDefs}
  ${connectionTypeDefs('UiExtension')}
  ${connectionTypeDefs('UiExtensionVersion')}
  ${connectionTypeDefs('UiExtensionAuditLine')}
  ${mutationTypeDefs}

  type Query {
    "UI extensions of the current account."
    uiExtensions(
      ${connectionArguments}
      view: UiExtensionView = current_account
      filter: UiExtensionFilter
      ${orderArgument('UiExtension')}
    ): UiExtensionConnection
    "Null when there is none with this id in the current account."
    uiExtension(id: ID!): UiExtension
  }

  type Mutation {
    "Creates the extension with version 1 being prepared."
    uiExtensionCreate(input: UiExtensionCreateInput!): UiExtensionCreatePayload
    "Edits the version that is being prepared; activate: true activates it."
    uiExtensionUpdate(input: UiExtensionUpdateInput!): UiExtensionUpdatePayload
  }

  enum UiExtensionView {
    "Everything in the current account."
    current_account
  }

  enum UiExtensionOrderField {
    id
    name
    createdAt
    updatedAt
  }

  enum UiExtensionOrderDirection {
    asc
    desc
  }

  input UiExtensionOrder {
    field: UiExtensionOrderField!
    direction: UiExtensionOrderDirection = asc
  }

  input UiExtensionTextFilter {
    "Alternatives; null stands for no value."
    values: [String]!
    negate: Boolean = false
  }

  input UiExtensionTimestampFilter {
    lessThan: ISO8601Timestamp
    lessThanOrEqualTo: ISO8601Timestamp
    greaterThan: ISO8601Timestamp
    greaterThanOrEqualTo: ISO8601Timestamp
  }

  "All parts must hold."
  input UiExtensionFilter {
    name: UiExtensionTextFilter
    title: UiExtensionTextFilter
    category: UiExtensionTextFilter
    source: UiExtensionTextFilter
    sourceID: UiExtensionTextFilter
    disabled: Boolean
    createdAt: UiExtensionTimestampFilter
    updatedAt: UiExtensionTimestampFilter
  }

  input UiExtensionCreateInput {
    name: String!
    ${inputFields}
  }

  input UiExtensionUpdateInput {
    id: ID!
    name: String
    "Each locale that is named gets these translations in place of those it has."
    translations: [UiExtensionTranslationsInput!]
    ${inputFields}
  }

  input UiExtensionTranslationsInput {
    "BCP 47, for example nl or pt-BR."
    locale: String!
    "Absent or null: the locale has no translations from now on."
    texts: [UiExtensionTextInput!]
  }

  input UiExtensionTextInput {
    phrase: String!
    text: String!
  }

  type UiExtensionCreatePayload {
    "Null when the input was refused."
    uiExtension: UiExtension
    errors: [ValidationError!]!
    clientMutationId: String
  }

  type UiExtensionUpdatePayload {
    "Null when the input was refused."
    uiExtension: UiExtension
    errors: [ValidationError!]!
    clientMutationId: String
  }

  "A customization with HTML, CSS, JavaScript and a form definition, kept as versions."
  type UiExtension implements Node @key(fields: "id") {
    id: ID!
    name: String!
    title: String
    category: String
    description: String
    disabled: Boolean!
    source: String
    sourceID: String
    createdAt: ISO8601Timestamp!
    updatedAt: ISO8601Timestamp!
    "The version in use; null before the first activation."
    activeVersion: UiExtensionVersion
    "The version that edits go to."
    preparedVersion: UiExtensionVersion!
    versions(${connectionArguments}): UiExtensionVersionConnection!
    "Who changed what of the extension and its versions, the oldest first."
    auditLines(${connectionArguments}): UiExtensionAuditLineConnection!
  }

  type UiExtensionVersion implements Node @key(fields: "id") {
    id: ID!
    "Name of the UI extension when the version was created."
    name: String!
    "Version number, starting at 1."
    versionNr: Int!
    "being_prepared, active or archived."
    status: String!
    activatedAt: ISO8601Timestamp
    archivedAt: ISO8601Timestamp
    createdAt: ISO8601Timestamp!
    updatedAt: ISO8601Timestamp!
    css: String
    html: String
    javascript: String
    formDefinition: String
    formDefinitionReact: String
    darkModeSafe: Boolean!
    useDesigner: Boolean!
    phrases: [String!]!
    compiledCss: String
    "With the translations of the locale given, or else of the best language of X-Service-Language, Accept-Language and the caller's own locale; phrases without one stay as they are."
    localizedHtml(locale: String): String
    translations: [UiExtensionTranslations!]!
    "In the caller's locale and time zone; empty when not activated."
    formattedActivatedAt: String!
    formattedArchivedAt: String!
    viewAuditPath: String!
    uiExtension: UiExtension!
    "The audit lines at viewAuditPath."
    auditLines(${connectionArguments}): UiExtensionAuditLineConnection!
  }

  enum UiExtensionAuditAction {
    created
    updated
    activated
    archived
  }

  type UiExtensionAuditLine implements Node @key(fields: "id") {
    id: ID!
    action: UiExtensionAuditAction!
    "Null for what was done to the extension itself."
    versionID: ID
    versionNr: Int
    "Null for demo data of the platform."
    personID: ID
    personName: String
    changes: [UiExtensionAuditChange!]!
    createdAt: ISO8601Timestamp!
  }

  "Values as text; none for the texts of a version, which stand in the versions."
  type UiExtensionAuditChange {
    field: String!
    from: String
    to: String
  }

  type UiExtensionTranslations {
    "BCP 47, for example nl or pt-BR."
    locale: String!
    texts: [UiExtensionText!]!
  }

  type UiExtensionText {
    phrase: String!
    text: String!
  }
`);
