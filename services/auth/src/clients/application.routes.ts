import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Router } from 'express';
import { isPermitted, readsPeople } from '@itsm/shared/api/identity/allow';
import { namedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import { withDisabledFilter } from '../directory/listing';
import { createListingRoutes } from '../directory/listing.routes';
import type { Application, ApplicationToken } from './application';
import type { ApplicationReferences } from './application-references';
import type { ApplicationService } from './application.service';
import type { SsoConfigurationService } from './sso-configuration.service';

interface ApplicationView {
  readonly nodeIdDomain: string;
  readonly caller: Pick<Caller, 'accountId' | 'scopes'>;
  /** Names of the records that the shown applications refer to, by id, as far as the caller may read them. */
  readonly ssoConfigurations: ReadonlyMap<number, string>;
  readonly people: ReadonlyMap<number, string>;
}

/** With the virtual member that filters use. */
type ListedApplication = Application & { readonly disabled?: boolean };

const named = (id: number | null, names: ReadonlyMap<number, string>) =>
  id === null ? null : { id, name: names.get(id) ?? null };

/** The REST form of a client token, without the secret or its digest. */
const presentToken = ({ name, clientId, createdAt, disabledAt, lastUsedAt }: ApplicationToken) => ({
  client_id: clientId,
  name,
  disabled: disabledAt !== null,
  created_at: presentTime(createdAt),
  last_used_at: presentTime(lastUsedAt),
});

export const applicationResource: Resource<ListedApplication, ApplicationView> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'OAuthApplication', id),
    name: ({ name }) => name,
    description: ({ description }) => description,
    homepage: ({ homepage }) => homepage,
    grant_types: ({ grantTypes }) => grantTypes,
    redirect_uris: ({ redirectUris }) => redirectUris,
    scopes: ({ scopes }) =>
      scopes.map(({ effect, actions, account }) => ({ effect, actions, account: account ?? null })),
    sso_configuration: ({ ssoConfigurationId }, { ssoConfigurations }) => named(ssoConfigurationId, ssoConfigurations),
    audience: ({ audience }) => audience,
    acts_as_person: ({ actsAsPersonId }, { caller, people }) =>
      readsPeople(caller) ? named(actsAsPersonId, people) : null,
    pkce_required: ({ pkceRequired }) => pkceRequired,
    jwks: ({ jwks }) => jwks,
    jwks_uri: ({ jwksUri }) => jwksUri,
    private_key_jwt_required: ({ privateKeyJwtRequired }) => privateKeyJwtRequired,
    disabled: ({ disabledAt }) => disabledAt !== null,
    tokens: ({ tokens }) => tokens.map(presentToken),
  },
  collectionFields: ['id', 'nodeID', 'name', 'description', 'grant_types', 'disabled'],
  sortable: { id: 'id', name: 'name' },
  filterable: { ...namedFilters, disabled: { property: 'disabled', type: 'boolean' } },
};

interface Dependencies {
  readonly applications: ApplicationService;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

const isId = (id: number | null): id is number => id !== null;

/** `GET /v1/oauth_applications` and `/v1/oauth_applications/:id`: what GraphQL's `oauthApplications` shows. */
export function createApplicationRoutes(dependencies: Dependencies): Router {
  const { applications, references, ssoConfigurations, nodeIdDomain, baseUrl } = dependencies;

  function createView(caller: Caller) {
    const { accountId } = caller;
    const configurations = new Map<number, string>();
    const people = new Map<number, string>();
    async function remember(found: readonly Application[]): Promise<void> {
      const namesConfigurations = isPermitted(caller, 'sso-configuration:Read');
      if (namesConfigurations && found.some(({ ssoConfigurationId }) => ssoConfigurationId !== null))
        for (const { id, name } of await ssoConfigurations.listLinkable(accountId)) configurations.set(id, name);
      for (const id of new Set(found.map(({ actsAsPersonId }) => actsAsPersonId).filter(isId))) {
        const person = await references.findPerson(accountId, id);
        if (person) people.set(id, person.name);
      }
    }
    return { view: { nodeIdDomain, caller, ssoConfigurations: configurations, people }, remember };
  }

  return createListingRoutes({
    action: 'oauth-application:Read',
    roles: ['account_administrator'],
    resource: applicationResource,
    baseUrl,
    source: async ({ accountId }) => withDisabledFilter(await applications.listing(accountId, [])),
    async find({ accountId }, text) {
      const id = parseRecordId(nodeIdDomain, 'OAuthApplication', text);
      return id === undefined ? undefined : applications.find(accountId, id);
    },
    createView,
  });
}
