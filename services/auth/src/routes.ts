import type { Logger } from '@itsm/shared/observing/logs/logger';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Express, Router } from 'express';
import { assignOrigin } from './sessions/request-origin';
import { createSecurityLogRoutes } from './portal/security-log.routes';
import { createAdministrationRoutes } from './portal/administration.routes';
import { createAuthorizeRoutes } from './sign-in/authorize.routes';
import type { Config } from './config';
import { createConsentRoutes } from './sign-in/consent.routes';
import { createTokenRoutes } from './oauth/token.routes';
import { createIntrospectionRoutes } from './tokens/caller-introspection.routes';
import { createTokenIntrospectionRoutes } from './oauth/token-introspection.routes';
import { createMetadataRoutes } from './oauth/metadata.routes';
import { createPageRoutes } from './sessions/page.routes';
import { createPersonRoutes } from './directory/person.routes';
import { createProfileRoutes } from './portal/profile.routes';
import type { Repositories } from './repositories';
import type { Services } from './services';
import { createRevocationRoutes } from './oauth/revocation.routes';
import { createSessionCookie } from './sessions/session-cookie';
import { identifyVisitor } from './sessions/visitor';
import { createKnownBrowser } from './sign-in/known-browser';
import { createSignInRoutes } from './sign-in/sign-in.routes';
import { createSigningKeyRoutes } from './tokens/signing-key.routes';

interface Dependencies {
  readonly config: Config;
  readonly repositories: Repositories;
  readonly services: Services;
  readonly subgraph: Router;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Every address of the service, and who answers it. */
export function mountRoutes(http: Express, dependencies: Dependencies): void {
  const { config, repositories, services, subgraph, logger, now } = dependencies;
  const cookie = createSessionCookie(config.baseUrl);
  const identify = identifyVisitor(services.sessions, cookie);
  // The gateway, the one proxy before us, says whose request it is.
  http.set('trust proxy', 1);
  http.use(assignOrigin);
  http.use('/.well-known/oauth-authorization-server', createMetadataRoutes(config.baseUrl, services.tokens.grantTypes));
  http.use('/oauth/jwks', createSigningKeyRoutes(services.keys));
  http.use('/oauth/token', createTokenRoutes(services.tokens, logger));
  http.use('/oauth/revoke', createRevocationRoutes(services.revocations, logger));
  http.use('/oauth/introspect', createTokenIntrospectionRoutes(services.tokenIntrospection, logger));
  http.use('/internal/introspect', createIntrospectionRoutes(services.introspection, config.introspectionSecret));
  http.use('/graphql', subgraph);
  http.use('/v1/people', createPersonRoutes({ ...config, ...repositories, verify: services.keys.verify }));
  http.use(
    '/oauth',
    createPageRoutes(
      identify,
      [
        createAuthorizeRoutes(services.authorize),
        createSignInRoutes({
          ...services,
          ...repositories,
          signIn: services.signIn,
          sessions: services.sessions,
          cookie,
          knownBrowser: createKnownBrowser(config.baseUrl, createSealer(config.sealingKeys)),
        }),
        createConsentRoutes(services.authorize, repositories.accounts),
        createProfileRoutes({ ...services, now }),
        createSecurityLogRoutes({ securityLog: services.securityLog, accounts: repositories.accounts }),
        createAdministrationRoutes({ ...services, accounts: repositories.accounts }),
      ],
      logger,
    ),
  );
}
