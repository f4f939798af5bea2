import { createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { AppError, invalidToken } from '../../base/errors/app-error';
import { clockToleranceSeconds, epochSeconds } from '../../base/time/clock';
import type { Clock } from '../../base/time/clock';
import { callerClaims } from './caller';
import type { CallerClaims } from './caller';
import { createJwksReader, createKeySet } from './key-set';

export const callerTokenType = 'itsm-caller+jwt';

/** The services that accept caller tokens. */
export const calledServices = ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions'] as const;
export type CalledService = (typeof calledServices)[number];

/** One audience per service, so that a service cannot replay a token at another one. */
export const callerAudienceOf = (service: CalledService): string => `itsm-${service}`;

export const callerTokenIssuer = 'itsm-auth';

/** Verifies a caller's JWT: 401 when it is invalid, 503 when the keys are unreachable. */
export type CallerVerifier = (token: string) => Promise<CallerClaims>;

/** Verifies against auth's JWKS and follows key rotation without interruption. */
export function createCallerVerifier(jwksUri: string, service: CalledService, now: Clock): CallerVerifier {
  const findKey = createKeySet(createJwksReader(jwksUri), now);
  const keyOf: KeyFinder = (kid) =>
    findKey(kid).catch(() => {
      throw new AppError('service_unavailable', 'Service Unavailable');
    });
  return createVerifierOf(keyOf, service, now);
}

const cacheSize = 10_000;

type KeyFinder = (kid: string) => Promise<KeyObject | undefined>;

/**
 * Verifies with the keys that `keyOf` finds (auth uses its own); undefined for an unknown `kid`. The token was signed by
 * another machine's clock, so it is accepted for `clockToleranceSeconds` longer.
 */
export function createVerifierOf(keyOf: KeyFinder, service: CalledService, now: Clock): CallerVerifier {
  const verified = new Map<string, CallerClaims>();
  return async (token) => {
    const digest = createHash('sha256').update(token).digest('base64url');
    const known = verified.get(digest);
    if (known && known.exp + clockToleranceSeconds > epochSeconds(now())) return known;
    const claims = await verify(token, { keyOf, service, now });
    if (verified.size >= cacheSize) verified.clear();
    verified.set(digest, claims);
    return claims;
  };
}

interface Expected {
  readonly keyOf: KeyFinder;
  readonly service: CalledService;
  readonly now: Clock;
}

async function verify(token: string, { keyOf, service, now }: Expected): Promise<CallerClaims> {
  const header = jwt.decode(token, { complete: true })?.header;
  if (!header?.kid || header.typ !== callerTokenType || 'crit' in header) throw invalidToken();
  const key = await keyOf(header.kid);
  if (!key) throw invalidToken();
  try {
    const payload = jwt.verify(token, key, {
      algorithms: ['ES256'],
      audience: callerAudienceOf(service),
      issuer: callerTokenIssuer,
      clockTimestamp: epochSeconds(now()),
      clockTolerance: clockToleranceSeconds,
    });
    return callerClaims.parse(payload);
  } catch {
    throw invalidToken();
  }
}
