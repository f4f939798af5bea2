import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { parseNodeId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Application } from '../clients/application';
import type { AccountRepository } from '../directory/account.repository';
import { createDirectories } from '../directory/directory';
import type { PersonRepository } from '../directory/person.repository';
import type { Authorization } from './authorization';
import type { AuthorizationService } from './authorization.service';

interface Dependencies {
  readonly authorizations: AuthorizationService;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
}

/** SDL of authorizations, for account administrators. */
export const authorizationTypeDefs = /* GraphQL */ `
  extend type Mutation {
    "Ends all tokens of the application that came from this person's consent. The application has to ask for consent again."
    oauthAuthorizationRevoke(input: OAuthAuthorizationRevokeInput!): OAuthAuthorizationRevokePayload
  }

  extend type OAuthApplication {
    "The authorizations for its present scopes, ordered by the ids of the people."
    authorizations(${connectionArguments}): OAuthAuthorizationConnection!
  }

  "A person's consent that an application may act for them."
  type OAuthAuthorization {
    id: ID!
    "Null for a person whom the current account cannot see; needs the scope person:Read."
    person: Person
    grantedAt: ISO8601Timestamp!
    "When one of its tokens was last used; kept to the minute."
    lastUsedAt: ISO8601Timestamp
  }

  input OAuthAuthorizationRevokeInput {
    id: ID!
    clientMutationId: String
  }

  type OAuthAuthorizationRevokePayload {
    "The application, without the authorization."
    oauthApplication: OAuthApplication
    errors: [ValidationError!]!
    clientMutationId: String
  }

  ${connectionTypeDefs('OAuthAuthorization')}
`;

const type = 'OAuthAuthorization';

/** The authorizations of an application, as a field of its type, and their revocation by an administrator. */
export function createAuthorizationResolvers({ authorizations, people, accounts, nodeIdDomain }: Dependencies) {
  const { mutation } = nodeResolvers({ type, nodeIdDomain, restNames: {} });
  const directoryOf = createDirectories({ people, accounts });

  return {
    Mutation: {
      oauthAuthorizationRevoke: mutation<IdInput>('oauth-application:Update', async ({ id }, { accountId }) => {
        const ref = parseNodeId(nodeIdDomain, id);
        if (ref?.type !== type) throw notFound();
        return { oauthApplication: await authorizations.revokeOfApplication(accountId, ref.id) };
      }),
    },
    OAuthApplication: {
      authorizations: (application: Application, args: ConnectionArgs) =>
        authorizations.listOfApplication(application.accountId, application, args),
    },
    OAuthAuthorization: {
      id: ({ authorization }: Listed) => toNodeId(nodeIdDomain, type, authorization.id),
      person: allowed<unknown, Listed>('person:Read', ({ authorization }, _args, { caller }) =>
        directoryOf(caller).person(authorization.personId),
      ),
      grantedAt: ({ authorization }: Listed) => authorization.createdAt,
      lastUsedAt: ({ authorization }: Listed) => authorization.lastUsedAt,
    },
  };
}

interface Listed {
  readonly authorization: Authorization;
}
