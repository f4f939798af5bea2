import { connectionArguments, connectionTypeDefs, idFields } from '@itsm/shared/api/graphql/schema';

/** SDL of versions and audit lines. */
export const versionTypeDefs = /* GraphQL */ `
  ${connectionTypeDefs('UiExtensionVersion')}
  ${connectionTypeDefs('UiExtensionAuditLine')}

  extend type UiExtension {
    "The version in use; null before the first activation."
    activeVersion: UiExtensionVersion
    "The version that edits go to; null, with the error FORBIDDEN, for people who see only versions that were in use."
    preparedVersion: UiExtensionVersion
    versions(${connectionArguments}): UiExtensionVersionConnection!
    "Who changed what of the extension and its versions, the oldest first."
    auditLines(${connectionArguments}): UiExtensionAuditLineConnection!
  }

  type UiExtensionVersion implements Node @key(fields: "id") {
    ${idFields}
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
    ${idFields}
    action: UiExtensionAuditAction!
    "Null for what was done to the extension itself."
    versionID: ID
    versionNr: Int
    "Null for demo data of the platform."
    personID: ID
    "Null without person:Read as well."
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
`;
