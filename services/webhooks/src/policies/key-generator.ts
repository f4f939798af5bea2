import { createHash, generateKeyPair, randomBytes } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { signingKeyContext } from '@itsm/shared/contracts/webhook-policies';
import type { SigningAlgorithm } from '@itsm/shared/contracts/webhook-policies';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { isShared } from './policy';
import type { PolicyKey } from './policy';

/** The public key or shared secret for receivers; returned once, by the call that makes the key. */
export interface IssuedKey {
  readonly publicKeyPem?: string;
  readonly sharedSecret?: string;
}

export interface GeneratedKey {
  readonly key: Pick<PolicyKey, 'kid' | 'sealed' | 'publicJwk'>;
  readonly issued: IssuedKey;
}

export type KeyGenerator = (algorithm: SigningAlgorithm) => Promise<GeneratedKey>;

const generate = promisify(generateKeyPair);
const modulusLength = 2_048;
const curves: Readonly<Record<string, string>> = { es256: 'P-256', es384: 'P-384', es512: 'P-521' };

/** Generates keys for policies; the private part is returned sealed. */
export function createKeyGenerator(sealer: Sealer): KeyGenerator {
  const seal = (kid: string, text: string) => sealer.seal(text, signingKeyContext(kid));

  function generateSecret(algorithm: SigningAlgorithm): GeneratedKey {
    const kid = randomBytes(16).toString('base64url');
    // RFC 7518 §3.2: at least as long as the hash. Receivers use the text as it is.
    const sharedSecret = randomBytes(Number(algorithm.slice(2)) / 8).toString('base64url');
    return {
      key: { kid, sealed: seal(kid, sharedSecret), publicJwk: null },
      issued: { sharedSecret },
    };
  }

  async function generatePair(algorithm: SigningAlgorithm): Promise<GeneratedKey> {
    const namedCurve = curves[algorithm];
    const { publicKey, privateKey } = await (namedCurve === undefined
      ? generate('rsa', { modulusLength })
      : generate('ec', { namedCurve }));
    const publicJwk = publicKey.export({ format: 'jwk' });
    const kid = thumbprintOf(publicJwk);
    return {
      key: {
        kid,
        sealed: seal(kid, pemOf(privateKey, 'pkcs8')),
        publicJwk: { ...publicJwk, kid, alg: algorithm.toUpperCase(), use: 'sig' },
      },
      issued: { publicKeyPem: pemOf(publicKey, 'spki') },
    };
  }

  return async (algorithm) => (isShared(algorithm) ? generateSecret(algorithm) : generatePair(algorithm));
}

const pemOf = (key: KeyObject, type: 'pkcs8' | 'spki'): string => key.export({ type, format: 'pem' }).toString();

/** RFC 7638: the required members in alphabetical order. */
function thumbprintOf({ crv, e, kty, n, x, y }: JsonWebKey): string {
  const members = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
