import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Edits } from '@itsm/shared/declared/edits';
import { declaredRoutes } from '@itsm/shared/declared/declared.routes';
import type { Router } from 'express';
import type { AccountRepository } from '../directory/account.repository';
import { ssoConfigurationType } from './sso-configuration';
import type { SsoConfiguration } from './sso-configuration';
import { ssoConfigurationResource as resource } from './sso-configuration.resource';

interface Dependencies {
  readonly edits: Edits<typeof ssoConfigurationType, SsoConfiguration>;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

/** `/v1/sso_configurations` and `/v1/sso_configurations/:id`: what GraphQL's `ssoConfigurations` shows, and its mutations do. */
export function createSsoConfigurationRoutes(dependencies: Dependencies): Router {
  const { edits, accounts, nodeIdDomain, baseUrl } = dependencies;
  const nodeIdOf = (graphqlName: string, id: number): string => toNodeId(nodeIdDomain, graphqlName, id);

  function createView() {
    const names = new Map<string, string>();
    async function remember(found: readonly SsoConfiguration[]): Promise<void> {
      const ids = [...new Set(found.map(({ accountId }) => accountId))];
      for (const { id, name } of await accounts.findMany(ids)) names.set(id, name);
    }
    return { view: { nodeIdOf, baseUrl, accounts: names }, remember };
  }

  return declaredRoutes(ssoConfigurationType, edits, { resource, createView, baseUrl, nodeIdDomain });
}
