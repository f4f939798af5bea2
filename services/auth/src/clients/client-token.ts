import { randomBytes } from 'node:crypto';
import { createOpaqueToken, digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { ApplicationToken } from './application';

/** A fresh client id and secret; only here is the secret itself. */
export function newClientToken(now: Date): { clientSecret: string; token: ApplicationToken } {
  const clientSecret = createOpaqueToken('cs');
  const clientId = randomBytes(16).toString('hex');
  const secretDigest = digestOf(clientSecret);
  return { clientSecret, token: { clientId, secretDigest, createdAt: now, disabledAt: null, enabledAt: null } };
}
