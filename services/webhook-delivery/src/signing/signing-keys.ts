import { createPrivateKey, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { signingKeyContext } from '@itsm/shared/contracts/webhook-policies';
import type { SigningAlgorithm } from '@itsm/shared/contracts/webhook-policies';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { SealedKey } from './signing-policy';

/** Opens sealed keys; the opened ones are kept, the most recently used `most` of them, because reading a key takes longer than signing. */
export type KeyOpener = (algorithm: SigningAlgorithm, key: SealedKey) => KeyObject;

export function createKeyOpener(sealer: Sealer, most = 500): KeyOpener {
  const opened = new Map<string, KeyObject>();
  return (algorithm, { kid, sealed }) => {
    const known = opened.get(sealed);
    const key = known ?? openKey(algorithm, sealer.open(sealed, signingKeyContext(kid)));
    opened.delete(sealed);
    opened.set(sealed, key);
    const [eldest] = opened.keys();
    if (opened.size > most && eldest !== undefined) opened.delete(eldest);
    return key;
  };
}

const openKey = (algorithm: SigningAlgorithm, text: string): KeyObject =>
  algorithm.startsWith('hs') ? createSecretKey(Buffer.from(text)) : createPrivateKey(text);
