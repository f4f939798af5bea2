import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTHeaderParameters, ProtectedHeaderParameters } from 'jose';
import type { Application } from '../clients/application';
import { assertionAlgorithms } from '../clients/client-keys';
import type { UsedOnceRepository } from '../security/used-once.repository';
import { toleranceSeconds } from './identity-claims';
import { OAuthError } from './oauth-error';
import { selectKey, toProviderKeys } from './provider-key';
import type { ProviderKey } from './provider-key';
import type { FindProviderKey } from './provider-keys';

/** RFC 7523 §2.2 */
export const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export const maxAssertionLength = 8192;
/** The longest time until `exp`: an assertion is made for one request. */
export const longestSeconds = 300;
const maxNameLength = 255;

interface Dependencies {
  /** The issuer URL, which is the required audience of assertions. */
  readonly issuer: string;
  /** Finds a key at the `jwksUri` of an application. */
  readonly findFetchedKey: FindProviderKey;
  readonly usedOnce: UsedOnceRepository;
  readonly now: Clock;
}

/**
 * Checks a client's assertion. Returns the reason of a refusal, for the security log. Undefined for a valid assertion,
 * which is then used up.
 */
export type CheckAssertion = (
  assertion: string,
  client: { readonly clientId: string; readonly application: Application },
) => Promise<string | undefined>;

/** The client that an assertion names, not verified yet. */
export function claimedClient(assertion: string): string | undefined {
  const { sub } = read(() => decodeJwt(assertion)) ?? {};
  return typeof sub === 'string' && sub !== '' ? sub : undefined;
}

/** RFC 7523 §3. Cheap checks come first, so that keys are fetched only for assertions that pass them. */
export function createCheckAssertion({ issuer, findFetchedKey, usedOnce, now }: Dependencies): CheckAssertion {
  async function findKey(
    { accountId, jwks, jwksUri }: Application,
    header: JWTHeaderParameters,
  ): Promise<ProviderKey | undefined> {
    const { kid, alg } = header;
    if (jwks !== null) {
      return selectKey(toProviderKeys(JSON.parse(jwks) as Record<string, unknown>) ?? [], kid, alg);
    }
    return jwksUri === null ? undefined : findFetchedKey({ accountId, issuer: jwksUri }, kid, alg);
  }

  return async (assertion, { clientId, application }) => {
    const header = read(() => decodeProtectedHeader(assertion));
    const claims = read(() => decodeJwt(assertion));
    if (!header || !claims) return 'the assertion is not a signed JWT';
    const because = whyNoHeader(header) ?? whyNoClaims(claims, { clientId, issuer, at: epochSeconds(now()) });
    if (because !== undefined) return because;
    try {
      const found = await findKey(application, header as JWTHeaderParameters);
      if (!found) return 'the key of the assertion is not among those of the application';
      await jwtVerify(assertion, found.key, {
        algorithms: [...assertionAlgorithms],
        issuer: clientId,
        subject: clientId,
        audience: issuer,
        currentDate: now(),
        clockTolerance: toleranceSeconds,
      });
    } catch (error) {
      if (error instanceof errors.JOSEError) return `the assertion was refused: ${error.message}`;
      if (error instanceof OAuthError)
        return 'the key of the assertion could not be fetched, or is not among those there';
      // Thrown by jose for a key that is too short or does not fit the algorithm.
      if (error instanceof TypeError) return 'the key of the assertion does not fit its algorithm';
      throw error;
    }
    const digest = digestOf(`client assertion ${JSON.stringify([clientId, claims.jti])}`);
    const expiresAt = new Date((Number(claims.exp) + toleranceSeconds) * 1000);
    return (await usedOnce.use(digest, expiresAt)) ? undefined : 'the assertion was used before';
  };
}

const types = new Set(['jwt', 'client-authentication+jwt', 'application/jwt', 'application/client-authentication+jwt']);

function whyNoHeader({ alg, typ, kid }: ProtectedHeaderParameters): string | undefined {
  if (!assertionAlgorithms.some((allowed) => allowed === alg)) return 'the algorithm of the assertion is not allowed';
  if (typ !== undefined && !(typeof typ === 'string' && types.has(typ.toLowerCase()))) {
    return 'the assertion is a JWT of another type';
  }
  return kid !== undefined && typeof kid !== 'string' ? 'the kid of the assertion is malformed' : undefined;
}

interface Expected {
  readonly clientId: string;
  readonly issuer: string;
  /** Now, in epoch seconds. */
  readonly at: number;
}

function whyNoClaims({ iss, sub, aud, ...claims }: JWTPayload, { clientId, issuer, at }: Expected): string | undefined {
  if (iss !== clientId || sub !== clientId) return 'iss or sub of the assertion is not the client';
  // With a second audience, another server could use the assertion here (RFC 7523bis).
  if (aud !== issuer) return 'aud of the assertion is not the issuer alone';
  return whyNoTimes(claims, at) ?? whyNoName(claims);
}

function whyNoTimes({ exp, iat }: JWTPayload, at: number): string | undefined {
  if (!isTime(exp)) return 'the assertion has no exp';
  if (exp > at + longestSeconds + toleranceSeconds)
    return `exp of the assertion is more than ${longestSeconds} s ahead`;
  return iat !== undefined && !(isTime(iat) && iat <= at + toleranceSeconds)
    ? 'iat of the assertion is in the future'
    : undefined;
}

function whyNoName({ jti }: JWTPayload): string | undefined {
  if (typeof jti !== 'string' || jti === '') return 'the assertion has no jti';
  return jti.length > maxNameLength ? 'jti of the assertion is too long' : undefined;
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function read<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
