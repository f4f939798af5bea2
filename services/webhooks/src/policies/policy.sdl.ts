import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';
import { declaredTypeDefs, payloadTypeDefs } from '@itsm/shared/declared/declared.sdl';
import { auditLineType } from '../webhooks/webhook.sdl';
import { policyType } from './policy';

const key = `
    "Returned by this call alone; null for a shared secret."
    publicKeyPem: String
    "Returned by this call alone; null for a key pair."
    sharedSecret: String
`;

/** SDL of webhook policies; they are for account administrators. */
export const policyTypeDefs = /* GraphQL */ `
  ${declaredTypeDefs(policyType, { create: key })}

  extend type Mutation {
    "Makes the next key: it is published at once, and signs an hour and a minute later."
    webhookPolicyRotate(input: WebhookPolicyRotateInput!): WebhookPolicyRotatePayload
  }

  type Account @key(fields: "id", resolvable: false) {
    id: ID!
  }

  extend type WebhookPolicy {
    account: Account
    "The key that verifies what is signed now, as PEM (SubjectPublicKeyInfo); null for a shared secret. After a rotation it changes; receivers that follow use the JWKS."
    publicKeyPem: String
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

  input WebhookPolicyRotateInput {
    id: ID!
    clientMutationId: String
  }

  ${payloadTypeDefs(policyType, 'Rotate', key)}
  ${connectionTypeDefs('WebhookPolicyAuditLine')}
`;
