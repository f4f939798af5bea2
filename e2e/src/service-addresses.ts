type Address =
  | 'BASE_URL'
  | 'ACCOUNT_URL'
  | 'AUTH_JWKS_URL'
  | `${'AUTH' | 'GRAPH' | 'WEBHOOKS' | 'WEBHOOK_DELIVERY' | 'UI_EXTENSIONS'}_URL`;

/** The settings by which processes of one machine find the services; `origin` maps a service's name. */
export const serviceAddresses = (
  baseUrl: string,
  origin: (name: 'auth' | 'graph' | 'webhooks' | 'webhook-delivery' | 'ui-extensions') => string,
): Readonly<Record<Address, string>> => ({
  BASE_URL: baseUrl,
  ACCOUNT_URL: `${baseUrl}/accounts/{account}`,
  AUTH_JWKS_URL: `${origin('auth')}/oauth/jwks`,
  AUTH_URL: origin('auth'),
  GRAPH_URL: origin('graph'),
  WEBHOOKS_URL: origin('webhooks'),
  WEBHOOK_DELIVERY_URL: origin('webhook-delivery'),
  UI_EXTENSIONS_URL: origin('ui-extensions'),
});
