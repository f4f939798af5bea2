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
    label: 'Web application',
    note: 'People sign in and authorize it. Its server keeps the secret.',
    grantTypes: ['authorization_code', 'refresh_token'],
  },
  {
    kind: 'app',
    label: 'Single-page or mobile app',
    note: 'People sign in and authorize it. It cannot keep a secret, so PKCE protects it.',
    grantTypes: ['authorization_code', 'refresh_token'],
  },
  {
    kind: 'service',
    label: 'Background service',
    note: 'Nobody signs in: a job or a script that always acts as one person.',
    grantTypes: ['client_credentials'],
  },
  {
    kind: 'exchange',
    label: 'System with its own identity provider',
    note: "Exchanges a person's identity token for a token of this platform.",
    grantTypes: [tokenExchange],
  },
];

/** The kind in a list, derived from the grant types. */
export function kindWords(grantTypes: readonly string[]): string {
  const words = [
    grantTypes.includes('authorization_code') &&
      (grantTypes.includes('refresh_token') ? 'People sign in, refresh tokens' : 'People sign in'),
    grantTypes.includes('client_credentials') && 'Background service',
    grantTypes.includes(tokenExchange) && 'Token exchange',
  ];
  return words.filter((word) => word !== false).join(' · ');
}
