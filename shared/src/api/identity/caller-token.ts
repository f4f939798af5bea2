import { createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { AppError, unauthorized } from '../../base/errors/app-error';
import { systemClock } from '../../base/time/clock';
import type { Clock } from '../../base/time/clock';
import { callerClaims } from './caller';
import type { CallerClaims } from './caller';
import { createJwksReader, createKeySet } from './key-set';

export const callerTokenType = 'itsm-caller+jwt';
/** The audience of tokens for any service, which gateways of the previous release pass on; accepted until the next release. */
export const callerTokenAudience = 'itsm-services';

/** The services that accept tokens of callers. */
export const calledServices = ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions'] as const;
export type CalledService = (typeof calledServices)[number];

/** Each service has an audience of its own, so that a token for one service is refused by the others. */
export const callerAudienceOf = (service: CalledService): string => `itsm-${service}`;

export const callerTokenIssuer = 'itsm-auth';

/** Checks the JWT of a caller; anything wrong with it is a 401, and keys that are out of reach are a 503. */
export type CallerVerifier = (token: string) => Promise<CallerClaims>;

/** Verifies against the JWKS of auth, whose keys change over time without an interruption. */
export function createCallerVerifier(
  jwksUri: string,
  service: CalledService,
  now: Clock = systemClock,
): CallerVerifier {
  const findKey = createKeySet(createJwksReader(jwksUri), now);
  const keyOf: KeyFinder = (kid) =>
    findKey(kid).catch(() => {
      throw new AppError('service_unavailable', 'Service Unavailable');
    });
  return createVerifierOf(keyOf, service);
}

const cacheSize = 10_000;

type KeyFinder = (kid: string) => Promise<KeyObject | undefined>;

/** Verifies with the keys that `keyOf` finds, as auth does with its own; undefined for an unknown `kid`. */
export function createVerifierOf(keyOf: KeyFinder, service: CalledService): CallerVerifier {
  const verified = new Map<string, CallerClaims>();
  return async (token) => {
    const digest = createHash('sha256').update(token).digest('base64url');
    const known = verified.get(digest);
    if (known && known.exp * 1000 > Date.now()) return known;
    const claims = await verify(token, keyOf, service);
    if (verified.size >= cacheSize) verified.clear();
    verified.set(digest, claims);
    return claims;
  };
}

async function verify(token: string, keyOf: KeyFinder, service: CalledService): Promise<CallerClaims> {
  const header = jwt.decode(token, { complete: true })?.header;
  if (!header?.kid || header.typ !== callerTokenType || 'crit' in header) throw unauthorized();
  const key = await keyOf(header.kid);
  if (!key) throw unauthorized();
  try {
    const payload = jwt.verify(token, key, {
      algorithms: ['ES256'],
      audience: [callerAudienceOf(service), callerTokenAudience],
      issuer: callerTokenIssuer,
    });
    return callerClaims.parse(payload);
  } catch {
    throw unauthorized();
  }
}
