import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Authenticated encryption (AES-256-GCM) with a key ring: seals with the first key, opens with any. `context` is
 * authenticated data, which binds a sealed text to its place.
 */
export interface Sealer {
  /** The ids of the ring's keys, which are part of sealed texts; the first key seals. */
  readonly keyIds: readonly [string, ...string[]];
  seal(content: string | Buffer, context: string): string;
  /**
   * Throws `UnknownKeyError` when the ring lacks the key, another error when the text was changed or belongs to another
   * context.
   */
  open(sealed: string, context: string): string;
  openBytes(sealed: string, context: string): Buffer;
}

export class UnknownKeyError extends Error {
  constructor() {
    super('Sealed with a key that is not in the key ring');
    this.name = 'UnknownKeyError';
  }
}

const nonceLength = 12;
const tagLength = 16;

export function createSealer(keys: readonly [Buffer, ...Buffer[]]): Sealer {
  const ring = new Map(keys.map((key) => [idOf(key), key]));
  const newest = keys[0];
  const newestId = idOf(newest);

  function openBytes(sealed: string, context: string): Buffer {
    const [, payload = ''] = sealed.split('.');
    const key = ring.get(keyIdIn(sealed));
    if (!key) throw new UnknownKeyError();
    const bytes = Buffer.from(payload, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagLength));
    return Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]);
  }

  return {
    keyIds: [newestId, ...keys.slice(1).map(idOf)],
    seal(content, context) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', newest, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(Buffer.from(content)), cipher.final(), cipher.getAuthTag()]);
      return `${newestId}.${sealed.toString('base64url')}`;
    },
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
    openBytes,
  };
}

/** The id of the key that sealed it. */
export const keyIdIn = (sealed: string): string => sealed.split('.', 1)[0] ?? '';

const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);
