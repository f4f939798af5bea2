import type { JsonWebKey } from 'node:crypto';
import { signingAlgorithms } from '@itsm/shared/contracts/webhook-policies';
import type { SigningAlgorithm } from '@itsm/shared/contracts/webhook-policies';
import { matching } from '@itsm/shared/declared/read-value';
import type { Declaration, Word } from '@itsm/shared/declared/language';
import type { GivenOf, RecordOf } from '@itsm/shared/declared/record-of';

export const isShared = (algorithm: SigningAlgorithm): boolean => algorithm.startsWith('hs');

const algorithmWords = {
  es256: { label: 'ES256', note: 'Key pair on P-256: short signatures, widely supported. Recommended.' },
  es384: { label: 'ES384', note: 'Key pair on P-384' },
  es512: { label: 'ES512', note: 'Key pair on P-521' },
  rs256: { label: 'RS256', note: 'RSA key pair: for receivers without elliptic curves' },
  rs384: { label: 'RS384', note: 'RSA key pair' },
  rs512: { label: 'RS512', note: 'RSA key pair' },
  hs256: { label: 'HS256', note: 'Shared secret: anyone who can verify can also sign' },
  hs384: { label: 'HS384', note: 'Shared secret' },
  hs512: { label: 'HS512', note: 'Shared secret' },
} as const satisfies Record<SigningAlgorithm, Word>;

/** What administrators edit of a policy: schema, inputs, REST and stored form follow from it. */
export const policyType = {
  name: 'webhook_policy',
  graphqlName: 'WebhookPolicy',
  plural: 'webhook_policies',
  label: 'Webhook policy',
  labelPlural: 'Webhook policies',
  description: 'How the deliveries of webhooks are signed.',
  writes: {
    create: 'Makes a policy and its first key.',
    update: '',
    delete: 'Refused while webhooks are signed by the policy.',
  },
  readers: ['account_administrator'],
  nullIs: 'absent',
  fields: [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      // Part of a URL, so characters that need escaping are refused.
      maxLength: 128,
      read: matching(
        /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
        'must have letters, digits, dots, dashes and underscores only, the first a letter or a digit',
      ),
      required: true,
      filterable: true,
      sortable: true,
      help: 'Unique in the account, and part of an address: letters, digits, dots, dashes and underscores. A new policy without one is given one.',
    },
    {
      name: 'jwtAlg',
      label: 'Algorithm',
      kind: 'choice',
      enumName: 'WebhookPolicyJwtAlg',
      choices: signingAlgorithms,
      words: algorithmWords,
      default: 'es256',
      stored: 'algorithm',
      written: 'on create',
      filterable: true,
      sortable: true,
    },
    {
      name: 'jwtAudience',
      label: 'Audience',
      kind: 'text',
      maxLength: 255,
      stored: 'audience',
      filterable: true,
      help: 'The claim aud. It names the receiver, so that it can reject deliveries meant for others.',
    },
    {
      name: 'jwtClaimExpiresIn',
      label: 'Lifetime (minutes)',
      kind: 'integer',
      min: 1,
      max: 1_440,
      stored: 'expiresInMinutes',
      help: 'How many minutes after iat the claim exp is, 1 to 1,440; without it JWTs do not expire.',
    },
    {
      name: 'keyRotationDays',
      label: 'Key rotation (days)',
      kind: 'integer',
      min: 1,
      max: 365,
      stored: 'rotationDays',
      when: { field: 'jwtAlg', is: signingAlgorithms.filter((algorithm) => !isShared(algorithm)) },
      help: 'How many days a key signs before the next one is made, 1 to 365; without it on request only. Not with a shared secret: receivers would not get the next one.',
    },
    {
      name: 'issuer',
      label: 'Issuer',
      kind: 'derived',
      type: 'String',
      written: 'never',
      help: 'The claim iss of webhooks with OpenID Connect Discovery; null for a shared secret.',
    },
    {
      name: 'accountIssuer',
      label: 'Issuer of the account',
      kind: 'derived',
      type: 'String!',
      written: 'never',
      help: 'The claim iss for webhooks without discovery: the address of the account.',
    },
    {
      name: 'disabled',
      label: 'Disabled',
      kind: 'flag',
      default: false,
      filterable: true,
      help: 'While it is, nothing is signed, and nothing is sent unsigned instead.',
    },
    {
      name: 'keys',
      label: 'Keys',
      kind: 'derived',
      type: '[WebhookPolicyKey!]!',
      written: 'never',
      help: 'The oldest first, each with its id and when it signs and is published.',
    },
    { name: 'source', label: 'Source', kind: 'text', maxLength: 128, filterable: true, audience: 'machine' },
    { name: 'sourceID', label: 'Source ID', kind: 'text', maxLength: 128, filterable: true, audience: 'machine' },
  ],
} as const satisfies Declaration;

/** A key of a policy; its secret part is sealed. */
export interface PolicyKey {
  readonly kid: string;
  readonly createdAt: Date;
  /** When it takes over from the key before it. */
  readonly signsFrom: Date;
  readonly sealed: string;
  /** Null for a shared secret. */
  readonly publicJwk: JsonWebKey | null;
}

/** What is declared of a policy. */
export type PolicySettings = RecordOf<typeof policyType>;

/** A webhook policy: how deliveries are signed. */
export interface Policy extends PolicySettings {
  readonly id: number;
  readonly accountId: string;
  /** Oldest first. */
  readonly keys: readonly PolicyKey[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Incremented by every change, for optimistic concurrency: of two concurrent changes neither overwrites the other. */
  readonly version: number;
}

/** What a caller has given for a policy. */
export type PolicyInput = GivenOf<typeof policyType>;
