import { signingAlgorithms } from '@itsm/shared/contracts/webhook-policies';
import { listArguments, listTypeDefs } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments, connectionTypeDefs, idFields } from '@itsm/shared/api/graphql/schema';
import { auditLineType } from '../webhooks/webhook.sdl';

const changeable = `
    "Stands in no claim when it is null."
    jwtAudience: String
    "Minutes, 1 to 1440; null: JWTs do not expire."
    jwtClaimExpiresIn: Int
    "Days, 1 to 365; null: keys are rotated on request only."
    keyRotationDays: Int
    disabled: Boolean
    source: String
    sourceID: String
    clientMutationId: String
`;

const payload = (name: string, more = ''): string => `
  type ${name} {
    "Null when the input was refused."
    webhookPolicy: WebhookPolicy
    ${more}
    errors: [ValidationError!]!
    clientMutationId: String
  }
`;

const filter = `
  name: WebhookPolicyTextFilter
  jwtAlg: WebhookPolicyJwtAlgFilter
  disabled: Boolean
  source: WebhookPolicyTextFilter
  sourceID: WebhookPolicyTextFilter
  createdAt: WebhookPolicyTimestampFilter
  updatedAt: WebhookPolicyTimestampFilter
`;

const key = `
    "Returned by this call alone; null for a shared secret."
    publicKeyPem: String
    "Returned by this call alone; null for a key pair."
    sharedSecret: String
`;

/** SDL of webhook policies; they are for account administrators. */
export const policyTypeDefs = /* GraphQL */ `
  extend type Query {
    "The webhook policies of the current account."
    webhookPolicies(${connectionArguments}, ${listArguments('WebhookPolicy')}): WebhookPolicyConnection
    "Null when there is none with this id in the current account."
    webhookPolicy(id: ID!): WebhookPolicy
  }

  extend type Mutation {
    "Makes a policy and its first key."
    webhookPolicyCreate(input: WebhookPolicyCreateInput!): WebhookPolicyCreatePayload
    webhookPolicyUpdate(input: WebhookPolicyUpdateInput!): WebhookPolicyUpdatePayload
    "Refused while webhooks are signed by the policy."
    webhookPolicyDelete(input: WebhookPolicyDeleteInput!): WebhookPolicyDeletePayload
    "Makes the next key: it is published at once, and signs an hour and a minute later."
    webhookPolicyRotate(input: WebhookPolicyRotateInput!): WebhookPolicyRotatePayload
  }

  extend type Webhook {
    webhookPolicy: WebhookPolicy
  }

  enum WebhookPolicyJwtAlg { ${signingAlgorithms.join(' ')} }

  type Account @key(fields: "id", resolvable: false) {
    id: ID!
  }

  "How the deliveries of webhooks are signed."
  type WebhookPolicy implements Node @key(fields: "id") {
    ${idFields}
    account: Account
    name: String!
    jwtAlg: WebhookPolicyJwtAlg!
    jwtAudience: String
    jwtClaimExpiresIn: Int
    keyRotationDays: Int
    "The claim iss of webhooks with OpenID Connect Discovery; null for a shared secret."
    issuer: String
    "The claim iss for webhooks without discovery: the address of the account."
    accountIssuer: String!
    "The key that verifies what is signed now, as PEM (SubjectPublicKeyInfo); null for a shared secret. After a rotation it changes; receivers that follow use the JWKS."
    publicKeyPem: String
    "While it is, nothing is signed, and nothing is sent unsigned instead."
    disabled: Boolean!
    "The oldest first."
    keys: [WebhookPolicyKey!]!
    source: String
    sourceID: String
    createdAt: ISO8601Timestamp!
    updatedAt: ISO8601Timestamp!
    "What was changed, oldest first."
    auditLines(${connectionArguments}): WebhookPolicyAuditLineConnection
  }

  ${auditLineType('WebhookPolicyAuditLine', 'Null when the service did it by itself.')}

  "A key by its id; what verifies is in the JWKS."
  type WebhookPolicyKey {
    kid: String!
    signsFrom: ISO8601Timestamp!
    "Null while no other key follows."
    publishedUntil: ISO8601Timestamp
  }

  input WebhookPolicyCreateInput {
    "Unique in the account; 1 to 128 letters, digits, dots, dashes and underscores. One is given when it is null."
    name: String
    "Default es256."
    jwtAlg: WebhookPolicyJwtAlg
    ${changeable}
  }

  input WebhookPolicyUpdateInput {
    id: ID!
    name: String
    ${changeable}
  }

  input WebhookPolicyDeleteInput {
    id: ID!
    clientMutationId: String
  }

  input WebhookPolicyRotateInput {
    id: ID!
    clientMutationId: String
  }

  ${payload('WebhookPolicyCreatePayload', key)}
  ${payload('WebhookPolicyUpdatePayload')}
  ${payload('WebhookPolicyDeletePayload')}
  ${payload('WebhookPolicyRotatePayload', key)}
  input WebhookPolicyJwtAlgFilter {
    values: [WebhookPolicyJwtAlg!]!
    negate: Boolean = false
  }

  ${listTypeDefs('WebhookPolicy', filter, 'id name createdAt updatedAt')}
  ${connectionTypeDefs('WebhookPolicy')}
  ${connectionTypeDefs('WebhookPolicyAuditLine')}
`;
