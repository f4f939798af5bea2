import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { nodeResolvers, numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import { declaredMutations, fieldResolvers } from '@itsm/shared/declared/declared.resolvers';
import type { Edits } from '@itsm/shared/declared/edits';
import { listing } from '../directory/listing';
import { applicationType } from './application';
import type { Application } from './application';
import type { ApplicationReferences } from './application-references';
import type { ApplicationService } from './application.service';
import type { SsoConfigurationService } from './sso-configuration.service';

interface Dependencies {
  readonly applications: ApplicationService;
  readonly edits: Edits<typeof applicationType, Application>;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly nodeIdDomain: string;
}

interface Reference {
  readonly id: string;
}

const type = 'OAuthApplication';
const administrator = 'account_administrator';

/** Root fields and the type of applications. */
export function createApplicationResolvers(dependencies: Dependencies) {
  const { applications, edits, references, ssoConfigurations, nodeIdDomain } = dependencies;
  const node = nodeResolvers({ type, nodeIdDomain, restNames: {} });

  const load = (reference: Reference, { caller }: SubgraphContext) =>
    node.load(reference.id, (id) => applications.find(caller.accountId, id));

  return {
    Query: {
      oauthApplications: listing(applicationType, edits, node.parseId),
      oauthApplication: allowed<Reference>(
        'oauth-application:Read',
        (_parent, args, context) => load(args, context),
        administrator,
      ),
    },
    Mutation: declaredMutations(applicationType, edits, nodeIdDomain),
    OAuthApplication: {
      __resolveReference: allowedReference('oauth-application:Read', load, administrator),
      ...numberedIds(nodeIdDomain, type),
      ...fieldResolvers(applicationType),
      ssoConfiguration: ({ accountId, ssoConfigurationId }: Application) =>
        ssoConfigurationId === null ? null : ssoConfigurations.findLinkable(accountId, ssoConfigurationId),
      actsAsPerson: ({ accountId, actsAsPersonId }: Application) =>
        actsAsPersonId === null ? null : references.findPerson(accountId, actsAsPersonId),
    },
  };
}
