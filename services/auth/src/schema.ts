import type { DocumentNode } from 'graphql';
import { concatAST, parse } from 'graphql';
import { createAccountResolvers } from './directory/account.resolvers';
import { createApplicationResolvers } from './clients/application.resolvers';
import { createClientTokenResolvers } from './clients/client-token.resolvers';
import { applicationTypeDefs } from './clients/application.sdl';
import { createSecurityLogResolvers } from './portal/security-log.resolvers';
import { securityLogTypeDefs } from './portal/security-log.sdl';
import { createDirectoryResolvers } from './directory/directory.resolvers';
import { typeDefs as directoryTypeDefs } from './directory/directory.sdl';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';
import { createPersonResolvers } from './directory/person.resolvers';
import type { Repositories } from './repositories';
import type { Services } from './services';
import { createSsoConfigurationResolvers } from './clients/sso-configuration.resolvers';
import { ssoConfigurationTypeDefs } from './clients/sso-configuration.sdl';

interface Dependencies {
  readonly repositories: Repositories;
  readonly services: Services;
  readonly nodeIdDomain: string;
}

type ResolverMap = Readonly<Record<string, object>>;

/** What auth adds to the GraphQL API; each noun has its part. */
export const typeDefs: DocumentNode = concatAST([
  directoryTypeDefs,
  securityLogTypeDefs,
  ...[mutationTypeDefs, applicationTypeDefs, ssoConfigurationTypeDefs].map((sdl) => parse(sdl)),
]);

export const createResolvers = ({ repositories, services, nodeIdDomain }: Dependencies): ResolverMap =>
  merge([
    createDirectoryResolvers({ ...repositories, nodeIdDomain }),
    createPersonResolvers({ ...services, nodeIdDomain }),
    createAccountResolvers({ ...services, accounts: repositories.accounts, nodeIdDomain }),
    createSecurityLogResolvers({ ...repositories, securityLog: services.securityLog, nodeIdDomain }),
    createApplicationResolvers({ ...services, nodeIdDomain }),
    createClientTokenResolvers({ ...services, nodeIdDomain }),
    createSsoConfigurationResolvers({ ...repositories, ...services, accounts: repositories.accounts, nodeIdDomain }),
  ]);

/** Types that occur in several maps, such as Query, have the fields of all. */
function merge(maps: readonly ResolverMap[]): ResolverMap {
  const merged: Record<string, object> = {};
  for (const [type, fields] of maps.flatMap((map) => Object.entries(map))) {
    merged[type] = type in merged ? { ...merged[type], ...fields } : fields;
  }
  return merged;
}
