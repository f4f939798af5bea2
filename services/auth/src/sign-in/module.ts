import type { MessagingPlatform } from '@itsm/shared/running/module';
import type { Router } from 'express';
import type { Clients } from '../clients/module';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import type { Sessions } from '../sessions/module';
import type { Tokens } from '../tokens/module';
import { createAuthorizationResponses } from './authorization-response';
import { createAuthorizeRoutes, createConsentRoutes } from './authorize.routes';
import { createAuthorizeService } from './authorize.service';
import { createConsentRepository } from './consent.repository';
import { createIssueCode } from './issue-code';
import { createKnownBrowser } from './known-browser';
import { createSignInRoutes } from './sign-in.routes';
import { createSignInService } from './sign-in.service';
import { createWaitingRequestRepository } from './waiting-request.repository';
import { createWaitingRequests } from './waiting-requests';

interface Needs {
  readonly security: Security;
  readonly directory: Directory;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
}

export interface SignIn {
  readonly pages: readonly Router[];
}

export function createSignIn(platform: MessagingPlatform, needs: Needs): SignIn {
  const { connection, sealer, logger, now, baseUrl } = platform;
  const { security, directory, clients, tokens, sessions } = needs;
  const { audit, attempts } = security;
  const { accounts, people, passwords } = directory;
  const { store: applications } = clients;
  const { service, cookie } = sessions;
  const waiting = createWaitingRequests(createWaitingRequestRepository(connection), now);
  const authorize = createAuthorizeService({
    applications,
    accounts,
    authorizations: tokens.authorizations,
    consents: createConsentRepository(connection),
    waiting,
    issueCode: createIssueCode(tokens.families, now),
    responses: createAuthorizationResponses(baseUrl),
    audit,
    logger,
    now,
  });
  const signIn = createSignInService({ people, accounts, passwords, sessions: service, attempts, audit, logger, now });
  const knownBrowser = createKnownBrowser(baseUrl, sealer);
  return {
    pages: [
      createAuthorizeRoutes(authorize),
      createSignInRoutes({ signIn, sessions: service, applications, waiting, cookie, knownBrowser }),
      createConsentRoutes(authorize, accounts),
    ],
  };
}
