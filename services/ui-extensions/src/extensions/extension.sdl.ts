import { orderArgument } from '@itsm/shared/api/graphql/list-arguments';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import { connectionArguments, connectionTypeDefs, idFields } from '@itsm/shared/api/graphql/schema';

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

/** SDL of extensions; the `versions` module extends the type. */
export const extensionTypeDefs = /* GraphQL */ `
  ${connectionTypeDefs('UiExtension')}
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
    ${idFields}
    name: String!
    title: String
    category: String
    description: String
    disabled: Boolean!
    source: String
    sourceID: String
    createdAt: ISO8601Timestamp!
    updatedAt: ISO8601Timestamp!
  }
`;
