import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { listing } from '../directory/listing';
import type { Application } from './application';
import { createApplicationInputs } from './application.graphql-input';
import type { CreateInput, UpdateInput } from './application.graphql-input';
import type { ApplicationReferences } from './application-references';
import type { ApplicationService } from './application.service';
import type { SsoConfigurationService } from './sso-configuration.service';

interface Dependencies {
  readonly applications: ApplicationService;
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
  const { applications, references, ssoConfigurations, nodeIdDomain } = dependencies;
  const inputs = createApplicationInputs(nodeIdDomain);
  const node = nodeResolvers({ type, nodeIdDomain, restNames: {} });
  const { idOf, mutation } = node;

  const load = (reference: Reference, { caller }: SubgraphContext) =>
    node.load(reference.id, (id) => applications.find(caller.accountId, id));

  return {
    Query: {
      oauthApplications: listing(
        'oauth-application:Read',
        (id) => parseRecordId(nodeIdDomain, type, id),
        (words, { accountId }) => applications.listing(accountId, words),
        administrator,
      ),
      oauthApplication: allowed<Reference>(
        'oauth-application:Read',
        (_parent, args, context) => load(args, context),
        administrator,
      ),
    },
    Mutation: {
      oauthApplicationCreate: mutation<CreateInput>(
        'oauth-application:Create',
        async (input, { accountId, scopes }) => ({
          oauthApplication: await applications.create(accountId, scopes, inputs.toSettings(input)),
        }),
      ),
      oauthApplicationUpdate: mutation<UpdateInput>(
        'oauth-application:Update',
        async ({ id, ...input }, { accountId, scopes }) => ({
          oauthApplication: await applications.update(accountId, scopes, idOf(id), inputs.toChanges(input)),
        }),
      ),
    },
    OAuthApplication: {
      async __resolveReference(reference: Reference, context: SubgraphContext) {
        checkAllowed(context.caller, 'oauth-application:Read', [administrator]);
        return load(reference, context);
      },
      id: ({ id }: Application) => toNodeId(nodeIdDomain, type, id),
      disabled: ({ disabledAt }: Application) => disabledAt !== null,
      ssoConfiguration: ({ accountId, ssoConfigurationId }: Application) =>
        ssoConfigurationId === null ? null : ssoConfigurations.findLinkable(accountId, ssoConfigurationId),
      actsAsPerson: ({ accountId, actsAsPersonId }: Application) =>
        actsAsPersonId === null ? null : references.findPerson(accountId, actsAsPersonId),
    },
  };
}
