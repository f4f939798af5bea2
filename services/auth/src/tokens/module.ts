import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clients } from '../clients/module';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import { createAuthorizationRepository } from './authorization.repository';
import type { AuthorizationRepository } from './authorization.repository';
import { authorizationTypeDefs, createAuthorizationResolvers } from './authorization.resolvers';
import { createAuthorizationService } from './authorization.service';
import type { AuthorizationService } from './authorization.service';
import { createIntrospectionRoutes, createSigningKeyRoutes } from './caller-token.routes';
import { createIntrospectionService } from './caller-introspection.service';
import { createClientStateRepository } from './client-state.repository';
import type { ClientStateRepository } from './client-state.repository';
import { createGrantStateRepository } from './grant-state.repository';
import type { GrantStateRepository } from './grant-state.repository';
import { createLoadHolder } from './holder';
import type { LoadHolder } from './holder';
import { createNoteUse } from './last-use';
import type { NoteUse } from './last-use';
import { createPersonalAccessTokenRepository } from './personal-access-token.repository';
import type { PersonalAccessTokenRepository } from './personal-access-token.repository';
import { createPersonalAccessTokenService } from './personal-access-token.service';
import type { PersonalAccessTokenService } from './personal-access-token.service';
import { createSigningKeyRepository } from './signing-key.repository';
import { createSigningKeys } from './signing-keys';
import type { SigningKeys } from './signing-keys';
import { createSuccessorSweeper } from './successors';
import { createTokenFamilyRepository } from './token-family.repository';
import type { TokenFamilyRepository } from './token-family.repository';
import { createTokenRepository } from './token.repository';
import type { TokenRepository } from './token.repository';

/** The modules that sign-in and the client endpoints build on. */
export interface Foundations {
  readonly security: Security;
  readonly directory: Directory;
  readonly clients: Clients;
  readonly tokens: Tokens;
}

interface Needs {
  readonly security: Security;
  readonly directory: Pick<Directory, 'people' | 'accounts'>;
  readonly clients: Clients;
  readonly settings: {
    /** The gateway's secret; several during a rotation, comma-separated. */
    readonly introspectionSecret: string;
    /** Grace period of refresh token rotation: for so long, a retry with the predecessor gets the same successors. */
    readonly refreshGraceSeconds: number;
  };
}

export interface Tokens extends Module {
  readonly store: TokenRepository;
  readonly families: TokenFamilyRepository;
  readonly authorizationStore: AuthorizationRepository;
  readonly authorizations: AuthorizationService;
  readonly personalTokenStore: PersonalAccessTokenRepository;
  readonly personalTokens: PersonalAccessTokenService;
  readonly clientStates: ClientStateRepository;
  readonly grantStates: GrantStateRepository;
  readonly loadHolder: LoadHolder;
  readonly noteUse: NoteUse;
  readonly keys: SigningKeys;
}

export function createTokens(platform: MessagingPlatform, needs: Needs): Tokens {
  const { connection, sealer, logger, now, baseUrl, nodeIdDomain } = platform;
  const { security, directory, clients, settings } = needs;
  const { people, accounts } = directory;
  const graceMilliseconds = settings.refreshGraceSeconds * 1000;
  const { audit, announce } = security;
  const store = createTokenRepository(connection);
  const authorizations = createAuthorizationRepository(connection);
  const personalTokens = createPersonalAccessTokenRepository(connection);
  const grantStates = createGrantStateRepository(connection, clients.installed);
  const keys = createSigningKeys({ signingKeys: createSigningKeyRepository(connection, sealer), logger, now });
  const noteUse = createNoteUse(logger, now);
  const loadHolder = createLoadHolder({ grantStates, authorizations, personalTokens, noteUse, now });
  const introspection = createIntrospectionService({ loadHolder, keys, baseUrl, now });
  const sequence = createSequence(connection);
  const authorizationService = createAuthorizationService({
    authorizations,
    applications: clients.store,
    audit,
    announce,
    now,
  });
  return {
    store,
    families: createTokenFamilyRepository(connection),
    authorizationStore: authorizations,
    authorizations: authorizationService,
    personalTokenStore: personalTokens,
    personalTokens: createPersonalAccessTokenService({ personalTokens, sequence, announce, audit, now }),
    clientStates: createClientStateRepository(connection, clients.installed),
    grantStates,
    loadHolder,
    noteUse,
    keys,
    sdl: authorizationTypeDefs,
    resolvers: createAuthorizationResolvers({
      authorizations: authorizationService,
      people,
      accounts,
      nodeIdDomain,
    }),
    routes: [
      { path: '/oauth/jwks', access: 'public', router: createSigningKeyRoutes(keys) },
      {
        path: '/internal/introspect',
        access: 'public',
        router: createIntrospectionRoutes(introspection, settings.introspectionSecret),
      },
    ],
    runners: [keys, createSuccessorSweeper({ tokens: store, graceMilliseconds, logger, now })],
  };
}
