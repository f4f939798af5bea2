import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { namedFilters, stampedFields, stampedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import type { Router } from 'express';
import type { AccountRepository } from '../directory/account.repository';
import { withDisabledFilter } from '../directory/listing';
import { createListingRoutes } from '../directory/listing.routes';
import { redirectUriOf } from './sso-configuration';
import type { SsoConfiguration } from './sso-configuration';
import type { SsoConfigurationService } from './sso-configuration.service';

interface Dependencies {
  readonly ssoConfigurations: SsoConfigurationService;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

interface View {
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
  /** Names of the accounts of the shown configurations, by id. */
  readonly accounts: ReadonlyMap<string, string>;
}

/** With the virtual member that filters use. */
type ListedSsoConfiguration = SsoConfiguration & { readonly disabled?: boolean };

const resource: Resource<ListedSsoConfiguration, View> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'SsoConfiguration', id),
    name: ({ name }) => name,
    issuer: ({ issuer }) => issuer,
    identifier: ({ identifier }) => identifier,
    email_verified_required: ({ emailVerifiedRequired }) => emailVerifiedRequired,
    client_id: ({ clientId }) => clientId,
    has_client_secret: ({ sealedClientSecret }) => sealedClientSecret !== null,
    redirect_uri: ({ id }, { baseUrl }) => redirectUriOf(baseUrl, id),
    former_redirect_uri: ({ formerRedirectUri }) => formerRedirectUri,
    account: ({ accountId }, { accounts }) => ({ id: accountId, name: accounts.get(accountId) ?? null }),
    disabled: ({ disabledAt }) => disabledAt !== null,
    ...stampedFields,
  },
  collectionFields: ['id', 'nodeID', 'name', 'issuer', 'disabled', 'created_at', 'updated_at'],
  sortable: { id: 'id', name: 'name', created_at: 'createdAt', updated_at: 'updatedAt' },
  filterable: {
    ...namedFilters,
    issuer: { property: 'issuer', type: 'string' },
    disabled: { property: 'disabled', type: 'boolean' },
    ...stampedFilters,
  },
};

/** `GET /v1/sso_configurations` and `/v1/sso_configurations/:id`: what GraphQL's `ssoConfigurations` shows. */
export function createSsoConfigurationRoutes(dependencies: Dependencies): Router {
  const { ssoConfigurations, accounts, nodeIdDomain, baseUrl } = dependencies;

  function createView() {
    const names = new Map<string, string>();
    async function remember(found: readonly SsoConfiguration[]): Promise<void> {
      const ids = [...new Set(found.map(({ accountId }) => accountId))];
      for (const { id, name } of await accounts.findMany(ids)) names.set(id, name);
    }
    return { view: { nodeIdDomain, baseUrl, accounts: names }, remember };
  }

  return createListingRoutes({
    action: 'sso-configuration:Read',
    roles: ['account_administrator'],
    resource,
    baseUrl,
    // An account has only a few, so all are read and paged in memory.
    source: async ({ accountId }) =>
      withDisabledFilter(createArraySource(await ssoConfigurations.listLinkable(accountId))),
    async find({ accountId }, text) {
      const id = parseRecordId(nodeIdDomain, 'SsoConfiguration', text);
      return id === undefined ? undefined : ssoConfigurations.findLinkable(accountId, id);
    },
    createView,
  });
}
