import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Router } from 'express';
import { isPermitted, readsPeople } from '@itsm/shared/api/identity/allow';
import { declaredRoutes } from '@itsm/shared/declared/declared.routes';
import { declaredResource } from '@itsm/shared/declared/declared.resource';
import type { Edits } from '@itsm/shared/declared/edits';
import { applicationType } from './application';
import type { Application } from './application';
import type { ClientToken } from './client-token';
import type { ApplicationReferences } from './application-references';
import type { SsoConfigurationService } from './sso-configuration.service';

interface ApplicationView {
  readonly nodeIdOf: (graphqlName: string, id: number) => string;
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
const presentToken = ({ name, clientId, createdAt, disabledAt, lastUsedAt }: ClientToken) => ({
  clientId,
  name,
  disabled: disabledAt !== null,
  createdAt,
  lastUsedAt,
});

/** The REST form of an application. References have the names that the caller may read. */
export const applicationResource = declaredResource<typeof applicationType, ListedApplication, ApplicationView>(
  applicationType,
  { tokens: ({ tokens }) => tokens.map(presentToken) },
  {
    scopes: ({ scopes }) =>
      scopes.map(({ effect, actions, account }) => ({ effect, actions, account: account ?? null })),
    ssoConfiguration: ({ ssoConfigurationId }, { ssoConfigurations }) => named(ssoConfigurationId, ssoConfigurations),
    actsAsPerson: ({ actsAsPersonId }, { caller, people }) =>
      readsPeople(caller) ? named(actsAsPersonId, people) : null,
  },
);

interface Dependencies {
  readonly edits: Edits<typeof applicationType, Application>;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

const isId = (id: number | null): id is number => id !== null;

/** `/v1/oauth_applications` and `/v1/oauth_applications/:id`: what GraphQL's `oauthApplications` shows, and its mutations do. */
export function createApplicationRoutes(dependencies: Dependencies): Router {
  const { edits, references, ssoConfigurations, nodeIdDomain, baseUrl } = dependencies;
  const nodeIdOf = (graphqlName: string, id: number): string => toNodeId(nodeIdDomain, graphqlName, id);

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
    return { view: { nodeIdOf, caller, ssoConfigurations: configurations, people }, remember };
  }

  return declaredRoutes(applicationType, edits, { resource: applicationResource, createView, baseUrl, nodeIdDomain });
}
