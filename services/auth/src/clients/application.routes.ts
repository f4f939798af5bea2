import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Router } from 'express';
import { withDisabledFilter } from '../directory/listing';
import { createListingRoutes } from '../directory/listing.routes';
import type { Application } from './application';
import type { ApplicationReferences } from './application-references';
import { applicationResource } from './application.resource';
import type { ApplicationService } from './application.service';
import type { SsoConfigurationService } from './sso-configuration.service';

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
      if (found.some(({ ssoConfigurationId }) => ssoConfigurationId !== null))
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
