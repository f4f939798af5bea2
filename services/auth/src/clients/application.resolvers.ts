import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import { toListing } from '../directory/listing';
import type { ListingArgs } from '../directory/listing';
import type { SsoConfigurationService } from './sso-configuration.service';
import type { Application } from './application';
import { createApplicationInputs } from './application.graphql-input';
import type { CreateInput, UpdateInput } from './application.graphql-input';
import type { ApplicationReferences } from './application-references';
import type { ApplicationService } from './application.service';

interface Dependencies {
  readonly applications: ApplicationService;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly nodeIdDomain: string;
}

interface Reference {
  readonly id: string;
}

export const administrator = 'account_administrator';

/** Root fields and the type of applications. */
export function createApplicationResolvers(dependencies: Dependencies) {
  const { applications, references, ssoConfigurations, nodeIdDomain } = dependencies;
  const inputs = createApplicationInputs(nodeIdDomain);

  async function load({ id }: Reference, { caller }: SubgraphContext): Promise<Application | undefined> {
    const applicationId = parseRecordId(nodeIdDomain, 'OAuthApplication', id);
    return applicationId === undefined ? undefined : applications.find(caller.accountId, applicationId);
  }

  return {
    Query: {
      oauthApplications: allowed<ListingArgs>(
        'oauth-application:Read',
        async (_parent, args, { caller }) => {
          const idOf = (id: string) => parseRecordId(nodeIdDomain, 'OAuthApplication', id);
          const { words, ...listing } = toListing(args, idOf);
          const source = await applications.listing(caller.accountId, words);
          return loadSortedConnection(args, { source, ...listing, fields: ['*'] });
        },
        administrator,
      ),
      oauthApplication: allowed<Reference>(
        'oauth-application:Read',
        (_parent, args, context) => load(args, context),
        administrator,
      ),
    },
    Mutation: {
      oauthApplicationCreate: allowed<MutationArgs<CreateInput & MutationInput>>(
        'oauth-application:Create',
        (_parent, { input }, { caller }) =>
          toPayload(input, async (fields) => ({
            oauthApplication: await applications.create(caller.accountId, caller.scopes, inputs.toSettings(fields)),
          })),
        administrator,
      ),
      oauthApplicationUpdate: allowed<MutationArgs<UpdateInput & MutationInput>>(
        'oauth-application:Update',
        (_parent, { input }, { caller }) =>
          toPayload(input, async (fields) => {
            const { id, changes } = inputs.toChanges(fields);
            return { oauthApplication: await applications.update(caller.accountId, caller.scopes, id, changes) };
          }),
        administrator,
      ),
    },
    OAuthApplication: {
      // Async: a throw here would void the answers for all the other references of the call.
      async __resolveReference(reference: Reference, context: SubgraphContext) {
        checkAllowed(context.caller, 'oauth-application:Read', [administrator]);
        return load(reference, context);
      },
      id: ({ id }: Application) => toNodeId(nodeIdDomain, 'OAuthApplication', id),
      disabled: ({ disabledAt }: Application) => disabledAt !== null,
      ssoConfiguration: ({ accountId, ssoConfigurationId }: Application) =>
        ssoConfigurationId === null ? null : ssoConfigurations.findLinkable(accountId, ssoConfigurationId),
      actsAsPerson: ({ accountId, actsAsPersonId }: Application) =>
        actsAsPersonId === null ? null : references.findPerson(accountId, actsAsPersonId),
    },
  };
}
