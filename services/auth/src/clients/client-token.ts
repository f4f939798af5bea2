import { randomBytes } from 'node:crypto';
import { createOpaqueToken, digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Declaration } from '@itsm/shared/declared/language';
import type { RecordOf } from '@itsm/shared/declared/record-of';

/** The kind of an application, which its client tokens name too. */
export const applicationKind = {
  name: 'oauth_application',
  graphqlName: 'OAuthApplication',
  plural: 'oauth_applications',
  label: 'OAuth application',
  labelPlural: 'OAuth applications',
  member: 'oauthApplication',
} as const;

const controls = /[\p{Cc}\p{Cf}]/u;

/** Why a text is refused that must be one line. */
export const inOneLine = (text: string): string | undefined =>
  controls.test(text) ? 'may not hold control characters' : undefined;

/** A client token of an application: what administrators edit and see of it. */
export const clientTokenType = {
  name: 'oauth_application_token',
  graphqlName: 'OAuthApplicationToken',
  plural: 'oauth_application_tokens',
  label: 'Client token',
  labelPlural: 'Client tokens',
  member: 'oauthApplicationToken',
  within: { ...applicationKind, as: 'tokens' },
  description: 'A client id with its secret, which is shown once: in the answer that creates it.',
  writes: { create: '', update: '', delete: '' },
  readers: ['account_administrator'],
  nullIs: 'refused',
  isTimeless: true,
  isVersioned: true,
  fields: [
    {
      name: 'application',
      label: 'Application',
      kind: 'reference',
      to: applicationKind,
      required: true,
      written: 'on create',
      isInputOnly: true,
      mustBeGiven: true,
    },
    {
      name: 'clientId',
      label: 'Client ID',
      kind: 'text',
      maxLength: 32,
      required: true,
      written: 'never',
    },
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      maxLength: 80,
      check: inOneLine,
      written: 'on create',
      help: 'Its name, for people.',
    },
    {
      name: 'disabled',
      label: 'Disabled',
      kind: 'standing',
      property: 'disabledAt',
      written: 'on change',
      help: 'What was got with a disabled token is void, and stays void when the token is enabled again.',
    },
    { name: 'createdAt', label: 'Created', kind: 'timestamp', required: true, written: 'never', sortable: true },
    {
      name: 'lastUsedAt',
      label: 'Last used',
      kind: 'timestamp',
      written: 'never',
      help: 'When its client last authenticated; kept to the minute.',
    },
  ],
} as const satisfies Declaration;

/**
 * A client id with the digest of its secret. An application may have several, so that secrets are rotated without an
 * outage.
 */
export interface ClientToken extends RecordOf<typeof clientTokenType> {
  /** Raised by every change by administrators. */
  readonly version: number;
  readonly secretDigest: string;
  /** When it was last re-enabled; grants before that are void. */
  readonly enabledAt: Date | null;
}

/** A new client id and secret. The plain secret is returned only here. */
export function newClientToken(now: Date, name: string | null): { clientSecret: string; token: ClientToken } {
  const clientSecret = createOpaqueToken('cs');
  const clientId = randomBytes(16).toString('hex');
  const secretDigest = digestOf(clientSecret);
  const standing = { createdAt: now, disabledAt: null, enabledAt: null, lastUsedAt: null };
  return { clientSecret, token: { name, clientId, version: 1, secretDigest, ...standing } };
}
