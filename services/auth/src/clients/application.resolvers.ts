import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import type { Clock } from '@itsm/shared/base/time/clock';
import { freshly } from '../security/freshness';
import { nodeResolvers, numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { listing } from '../directory/listing';
import type { Application } from './application';
import type { ApplicationReferences } from './application-references';
import type { ApplicationService } from './application.service';
import type { SsoConfigurationService } from './sso-configuration.service';
import type { ApplicationChanges, NewApplicationSettings } from './application.input';

interface Dependencies {
  readonly applications: ApplicationService;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly nodeIdDomain: string;
  readonly now: Clock;
}

interface Reference {
  readonly id: string;
}

const type = 'OAuthApplication';
const administrator = 'account_administrator';

/** Root fields and the type of applications. */
export function createApplicationResolvers(dependencies: Dependencies) {
  const { applications, references, ssoConfigurations, nodeIdDomain, now } = dependencies;
  const whileFresh = freshly(now);
  const inputs = createApplicationInputs(nodeIdDomain);
  const node = nodeResolvers({ type, nodeIdDomain, restNames: {} });
  const { idOf, mutation } = node;

  const load = (reference: Reference, { caller }: SubgraphContext) =>
    node.load(reference.id, (id) => applications.find(caller.accountId, id));

  return {
    Query: {
      oauthApplications: listing(
        'oauth-application:Read',
        node.parseId,
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
        whileFresh(async (input, { accountId, scopes }) => ({
          oauthApplication: await applications.create(accountId, scopes, inputs.toSettings(input)),
        })),
      ),
      oauthApplicationUpdate: mutation<UpdateInput>(
        'oauth-application:Update',
        whileFresh(async ({ id, ...input }, { accountId, scopes }) => ({
          oauthApplication: await applications.update(accountId, scopes, idOf(id), inputs.toChanges(input)),
        })),
      ),
      oauthApplicationDelete: mutation<IdInput>('oauth-application:Delete', async ({ id }, { accountId }) => {
        const applicationId = idOf(id);
        await applications.delete(accountId, applicationId);
        return { deletedId: toNodeId(nodeIdDomain, type, applicationId) };
      }),
    },
    OAuthApplication: {
      __resolveReference: allowedReference('oauth-application:Read', load, administrator),
      ...numberedIds(nodeIdDomain, type),
      disabled: ({ disabledAt }: Application) => disabledAt !== null,
      ssoConfiguration: ({ accountId, ssoConfigurationId }: Application) =>
        ssoConfigurationId === null ? null : ssoConfigurations.findLinkable(accountId, ssoConfigurationId),
      actsAsPerson: ({ accountId, actsAsPersonId }: Application) =>
        actsAsPersonId === null ? null : references.findPerson(accountId, actsAsPersonId),
    },
  };
}

interface ScopeInput {
  readonly effect: Scope['effect'];
  readonly actions: string[];
  readonly account?: string | null;
}

type Links = 'scopes' | 'ssoConfigurationId' | 'actsAsPersonId';

interface LinkInput {
  readonly ssoConfigurationId?: string | null | undefined;
  readonly actsAsPersonId?: string | null | undefined;
}

type Settings = Omit<NewApplicationSettings, Links> & LinkInput & { readonly scopes: readonly ScopeInput[] };
type CreateInput = MutationInput & Settings;
type Changes = Omit<ApplicationChanges, Links> & LinkInput & { readonly scopes?: readonly ScopeInput[] | null };
type UpdateInput = IdInput & Changes;

/** An id that no record has, so that a malformed id is refused in the same words as an unknown one. */
const unknownId = 0;

/** Converts GraphQL inputs for the use cases: node ids become integers, and a null account is left out. */
function createApplicationInputs(nodeIdDomain: string) {
  const idOf = (type: string, id: string | null): number | null =>
    id === null ? null : (parseRecordId(nodeIdDomain, type, id) ?? unknownId);

  const linksOf = ({ ssoConfigurationId, actsAsPersonId }: LinkInput) => ({
    ...(ssoConfigurationId !== undefined && { ssoConfigurationId: idOf('SsoConfiguration', ssoConfigurationId) }),
    ...(actsAsPersonId !== undefined && { actsAsPersonId: idOf('Person', actsAsPersonId) }),
  });

  return {
    toSettings({ ssoConfigurationId, actsAsPersonId, scopes, ...settings }: Settings): NewApplicationSettings {
      return { ...settings, ...linksOf({ ssoConfigurationId, actsAsPersonId }), scopes: scopes.map(toScope) };
    },
    toChanges({ ssoConfigurationId, actsAsPersonId, scopes, ...settings }: Changes): ApplicationChanges {
      const links = linksOf({ ssoConfigurationId, actsAsPersonId });
      return { ...settings, ...links, ...(scopes && { scopes: scopes.map(toScope) }) };
    },
  };
}

const toScope = ({ effect, actions, account }: ScopeInput): Scope => ({
  effect,
  actions,
  ...(account != null && { account }),
});
