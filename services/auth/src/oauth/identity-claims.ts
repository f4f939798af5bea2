import { epochSeconds } from '@itsm/shared/base/time/clock';
import { invalidGrant } from './oauth-error';

export type IdentityClaims = Readonly<Record<string, unknown>>;

export const toleranceSeconds = 30;
/** Longer than any provider's identity tokens. A token without such a limit could be exchanged forever after a theft. */
const longestSeconds = 86_400;

/** The issuer is compared character by character, without normalization (RFC 8414 §4, OpenID Connect Core 1.0 §3.1.3.7). */
export function checkIssuer({ iss }: IdentityClaims, issuer: string): void {
  if (iss !== issuer) throw invalidGrant('The issuer of the subject token is not the one of the SSO configuration');
}

/** `aud` must be, or contain, the application's audience (RFC 7519 §4.1.3). */
export function checkAudience({ aud }: IdentityClaims, audience: string): void {
  const named: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.includes(audience))
    throw invalidGrant('The audience of the subject token is not the one of the application');
}

/** RFC 7519 §4.1.4 to §4.1.6, with 30 s of leeway for clock skew. */
export function checkTimes({ exp, nbf, iat }: IdentityClaims, now: Date): void {
  const at = epochSeconds(now);
  if (!isTime(exp)) throw invalidGrant('The subject token has no expiry');
  if (exp <= at - toleranceSeconds) throw invalidGrant('The subject token has expired');
  if (exp > at + longestSeconds + toleranceSeconds)
    throw invalidGrant('The subject token is valid for more than 24 hours');
  if (nbf !== undefined && !isPast(nbf, at)) throw invalidGrant('The subject token is not valid yet');
  if (iat !== undefined && !isPast(iat, at)) throw invalidGrant('The subject token was issued in the future');
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isPast = (value: unknown, at: number): boolean => isTime(value) && value <= at + toleranceSeconds;
