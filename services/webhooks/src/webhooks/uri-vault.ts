import { createHmac } from 'node:crypto';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import type { KeyRing } from '@itsm/shared/stores/reseal/reseal';

/** Keeps addresses unreadable in the store, yet lets equal ones of an account be found. */
export interface UriVault {
  seal(webhookId: number, uri: string): string;
  open(webhookId: number, sealed: string): string;
  /** Other texts that hold addresses. */
  sealText(webhookId: number, text: string): string;
  openText(webhookId: number, sealed: string): string;
  digest(accountId: string, uri: string): string;
  /** The digest under every key of the ring, so that equal addresses are found after a change of keys. */
  digests(accountId: string, uri: string): string[];
}

/** What a sealed address is bound to. */
export const uriContext = (webhookId: number): string => `webhook:${webhookId}`;

/** What other sealed texts of a webhook are bound to. */
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
