import { tokenExchange } from '../clients/application';
import type { GrantType } from '../clients/application';

interface Words {
  readonly label: string;
  readonly hint: string;
}

const words: Readonly<Record<GrantType, Words>> = {
  authorization_code: { label: 'Authorization code', hint: 'People authorize it in their browser.' },
  refresh_token: { label: 'Refresh tokens', hint: 'Authorizations last until they are revoked.' },
  [tokenExchange]: { label: 'Token exchange', hint: 'It exchanges a token of an identity provider.' },
  client_credentials: { label: 'Client credentials', hint: 'It acts as one person.' },
};

/** The grant types as a form offers them. */
export const grantTypeChoices = Object.entries(words).map(([type, texts]) => ({ type, ...texts }));

export const describeGrantTypes = (types: readonly GrantType[]): string =>
  types.map((type) => words[type].label).join(' · ');
