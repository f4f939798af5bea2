import { hostNames } from '@itsm/shared/api/identity/account-id';

/** The relying party of passkeys (WebAuthn §4), and the origins of its pages. */
export interface RelyingParty {
  readonly id: string;
  readonly origins: string[];
}

/** The same pages are on the host of `BASE_URL` and on `oauth.` below its domain. A passkey works on both. */
export function relyingPartyOf(baseUrl: string): RelyingParty {
  const { origin, protocol, hostname, port } = new URL(baseUrl);
  const [label = '', ...rest] = hostname.split('.');
  const isHostOfPlatform = rest.length > 1 && hostNames.includes(label);
  const id = isHostOfPlatform ? rest.join('.') : hostname;
  return { id, origins: [origin, `${protocol}//oauth.${id}${port === '' ? '' : `:${port}`}`] };
}
