import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface Options {
  readonly origin?: string;
  readonly userVerified?: boolean;
  /** Whether the device has a signature counter. */
  readonly counts?: boolean;
}

interface Given {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id?: string };
  readonly user?: { readonly id: string };
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

/** A software authenticator that answers the options of a page, as a browser with a passkey does (WebAuthn §6, §5.8). */
export function createAuthenticator({
  origin = 'http://localhost:4000',
  userVerified = true,
  counts = true,
}: Options = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  const state = { counter: 0, userHandle: '', origin };

  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: state.origin, crossOrigin: false }));

  function authenticatorData(rpId: string, attested?: Buffer): Buffer {
    if (counts) state.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(state.counter);
    const flags = 0x01 | (userVerified ? 0x04 : 0) | (attested ? 0x40 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)]);
  }

  /** COSE_Key (RFC 9053 §7.1) of an ES256 key. */
  const coseKey = Buffer.from(
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    ),
  );

  return {
    id,
    state,
    /** Answers `navigator.credentials.create`. */
    create(options: string): string {
      const { challenge, rp, user } = JSON.parse(options) as Given;
      state.userHandle = user?.id ?? '';
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 32]), credentialId, coseKey]);
      const authData = new Uint8Array(authenticatorData(rp?.id ?? '', attested));
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      };
      return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
    },
    /** Answers `navigator.credentials.get`. */
    get(options: string): string {
      const { challenge, rpId = '' } = JSON.parse(options) as Given;
      const data = clientData('webauthn.get', challenge);
      const authData = authenticatorData(rpId);
      const response = {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey).toString('base64url'),
        userHandle: state.userHandle,
      };
      return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
