import { createHmac } from 'node:crypto';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import type { KeyRing } from '@itsm/shared/stores/reseal/reseal';

/** Encrypts addresses at rest; a keyed digest still finds equal addresses within an account. */
export interface UriVault {
  seal(webhookId: number, uri: string): string;
  open(webhookId: number, sealed: string): string;
  /** Seals other texts that contain addresses. */
  sealText(webhookId: number, text: string): string;
  openText(webhookId: number, sealed: string): string;
  digest(accountId: string, uri: string): string;
  /** The digests under every key of the ring, so that equal addresses are found during a key rotation. */
  digests(accountId: string, uri: string): string[];
}

/** The encryption context of a sealed address: it opens only for its own webhook. */
export const uriContext = (webhookId: number): string => `webhook:${webhookId}`;

/** The encryption context of a webhook's other sealed texts. */
export const textContext = (webhookId: number): string => `webhook text:${webhookId}`;

export function createUriVault(keys: KeyRing): UriVault {
  const sealer = createSealer(keys);
  const digestUnder = (key: Buffer, accountId: string, uri: string) =>
    createHmac('sha256', key).update(`webhook uri\n${accountId}\n${uri}`).digest('base64url');
  return {
    seal: (webhookId, uri) => sealer.seal(uri, uriContext(webhookId)),
    open: (webhookId, sealed) => sealer.open(sealed, uriContext(webhookId)),
    sealText: (webhookId, text) => sealer.seal(text, textContext(webhookId)),
    openText: (webhookId, sealed) => sealer.open(sealed, textContext(webhookId)),
    digest: (accountId, uri) => digestUnder(keys[0], accountId, uri),
    digests: (accountId, uri) => keys.map((key) => digestUnder(key, accountId, uri)),
  };
}
