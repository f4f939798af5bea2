/** RFC 8693 §2.1 */
export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The grants that an application can be allowed to use. */
export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', tokenExchange] as const;
export type GrantType = (typeof grantTypes)[number];

export const grantWords = {
  authorization_code: { label: 'Authorization code', note: 'People authorize it in their browser.' },
  refresh_token: { label: 'Refresh tokens', note: 'Authorizations last until they are revoked.' },
  client_credentials: { label: 'Client credentials', note: 'It acts as one person.' },
  [tokenExchange]: { label: 'Token exchange', note: 'It exchanges a token of an identity provider.' },
} as const satisfies Record<GrantType, object>;

const when = <T extends GrantType>(is: T) => ({ field: 'grantTypes', is }) as const;

/** The conditions of settings that only one grant needs. */
export const ofPeople = when('authorization_code');
export const ofMachine = when('client_credentials');
export const ofExchange = when(tokenExchange);
