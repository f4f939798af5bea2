import { randomBytes } from 'node:crypto';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { SigningPolicy } from './signing-policy';

export interface ToBeSigned {
  /** The unsigned body, a JSON text. */
  readonly body: string;
  readonly webhookId: number;
  readonly discovery: boolean;
}

/** The claims of one attempt as a JSON text: `data` is the whole body, every attempt has a `jti` of its own. */
export function claimsOf(policy: SigningPolicy, { body, webhookId, discovery }: ToBeSigned, now: Date): string {
  const { audience, expiresInMinutes, issuers } = policy;
  const iat = epochSeconds(now);
  const claims = {
    jti: randomBytes(32).toString('hex'),
    sub: String(webhookId),
    iss: discovery ? issuers.discovery : issuers.account,
    iat,
    nbf: iat,
    ...(audience !== null && { aud: audience }),
    ...(expiresInMinutes !== null && { exp: iat + expiresInMinutes * 60 }),
  };
  // The body is JSON already: it goes in as it is, digit by digit.
  return `{"data":${body},${JSON.stringify(claims).slice(1)}`;
}
