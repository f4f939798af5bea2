import { hostNames } from '@itsm/shared/api/identity/account-id';

/** For whom passkeys are made (WebAuthn §4, relying party), and on which origins its pages stand. */
export interface RelyingParty {
  readonly id: string;
  readonly origins: string[];
}

/** The host of `BASE_URL`, and `oauth.` below its domain, where the same pages are. One passkey is good for both. */
export function relyingPartyOf(baseUrl: string): RelyingParty {
  const { origin, protocol, hostname, port } = new URL(baseUrl);
  const [label = '', ...rest] = hostname.split('.');
  const isHostOfPlatform = rest.length > 1 && hostNames.includes(label);
  const id = isHostOfPlatform ? rest.join('.') : hostname;
  return { id, origins: [origin, `${protocol}//oauth.${id}${port === '' ? '' : `:${port}`}`] };
}
