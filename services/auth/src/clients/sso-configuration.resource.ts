import { declaredResource } from '@itsm/shared/declared/declared.resource';
import type { Derivations } from '@itsm/shared/declared/declared.resource';
import { redirectUriOf, ssoConfigurationType } from './sso-configuration';
import type { SsoConfiguration } from './sso-configuration';

/** What answers need beside a configuration. */
export interface SsoConfigurationView {
  readonly nodeIdOf: (graphqlName: string, id: number) => string;
  readonly baseUrl: string;
  /** Names of the accounts of the shown configurations, by id. */
  readonly accounts: ReadonlyMap<string, string>;
}

/** With the virtual member that filters use. */
type Listed = SsoConfiguration & { readonly disabled?: boolean };

/** What both edges show beside the fields; GraphQL shows the account whole. */
export const ssoConfigurationDerivations: Derivations<typeof ssoConfigurationType, Listed, SsoConfigurationView> = {
  redirectUri: ({ id }, { baseUrl }) => redirectUriOf(baseUrl, id),
  account: ({ accountId }, { accounts }) => ({ id: accountId, name: accounts.get(accountId) ?? null }),
};

/** The REST form of a configuration. */
export const ssoConfigurationResource = declaredResource(ssoConfigurationType, ssoConfigurationDerivations);
