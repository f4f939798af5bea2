export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The kinds of application as people know them; a kind presets the grant types and the fields. */
export type Kind = 'web' | 'app' | 'service' | 'exchange';

export const kinds: readonly {
  readonly kind: Kind;
  readonly label: string;
  readonly note: string;
  readonly grantTypes: readonly string[];
}[] = [
  {
    kind: 'web',
    label: 'A web application',
    note: 'People sign in and allow it. Its server keeps the secret.',
    grantTypes: ['authorization_code', 'refresh_token'],
  },
  {
    kind: 'app',
    label: 'A single page or a phone app',
    note: 'People sign in and allow it. It runs where nothing stays secret, so PKCE protects it.',
    grantTypes: ['authorization_code', 'refresh_token'],
  },
  {
    kind: 'service',
    label: 'A service by itself',
    note: 'Nobody signs in: a job or a script that always acts as one chosen person.',
    grantTypes: ['client_credentials'],
  },
  {
    kind: 'exchange',
    label: 'A system with its own identity provider',
    note: 'It swaps the identity token of a person for a token of this platform.',
    grantTypes: [tokenExchange],
  },
];

export const grantWords: Readonly<Record<string, { readonly label: string; readonly note: string }>> = {
  authorization_code: { label: 'Authorization code', note: 'People allow it in their browser.' },
  refresh_token: { label: 'Refresh tokens', note: 'It stays allowed until somebody revokes it.' },
  client_credentials: { label: 'Client credentials', note: 'It acts as one chosen person.' },
  [tokenExchange]: { label: 'Token exchange', note: 'It brings the token of an identity provider.' },
};

/** The kind in a list, derived from the grant types. */
export function kindWords(grantTypes: readonly string[]): string {
  const words = [
    grantTypes.includes('authorization_code') &&
      (grantTypes.includes('refresh_token') ? 'People sign in, stays allowed' : 'People sign in'),
    grantTypes.includes('client_credentials') && 'By itself',
    grantTypes.includes(tokenExchange) && 'Token exchange',
  ];
  return words.filter((word) => word !== false).join(' · ');
}
