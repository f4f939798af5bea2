import type { MessagingPlatform } from '@itsm/shared/running/module';
import type { Router } from 'express';
import type { FactorsModule } from '../factors/module';
import type { OAuth } from '../oauth/module';
import type { Sessions } from '../sessions/module';
import type { Foundations } from '../tokens/module';
import { createAuthorizationResponses } from './authorization-response';
import { createAuthorizeRoutes, createConsentRoutes } from './authorize.routes';
import { createAuthorizeService } from './authorize.service';
import { createConsentRepository } from './consent.repository';
import { createChoiceRoutes } from './choice.routes';
import { createChoices } from './choices';
import { createIssueCode } from './issue-code';
import { createEarlyRefusalRoutes } from './early-refusals.routes';
import { createKnownBrowser } from './known-browser';
import { createPasskeySignInRoutes } from './passkey-sign-in.routes';
import { createProviderCookie } from './provider-cookie';
import { createProviderSignInRoutes } from './provider-sign-in.routes';
import { createProviderSignIn } from './provider-sign-in.service';
import { createSecondStepRoutes } from './second-step.routes';
import { createSignInPages } from './sign-in.http';
import { createSignInRoutes } from './sign-in.routes';
import { createSignInService } from './sign-in.service';
import { createSignOutRoutes } from './sign-out.routes';
import { createWaitingRequests } from './waiting-requests';

interface Needs extends Foundations {
  readonly sessions: Sessions;
  readonly oauth: Pick<OAuth, 'providers'>;
  readonly factors: FactorsModule;
}

export interface SignIn {
  readonly earlyRefusals: Router;
  readonly pages: readonly Router[];
}

export function createSignIn(platform: MessagingPlatform, needs: Needs): SignIn {
  const { connection, sealer, logger, now, baseUrl } = platform;
  const { security, directory, clients, tokens, sessions, oauth, factors } = needs;
  const { audit, attempts } = security;
  const { accounts, people, passwords } = directory;
  const { store: applications, ssoConfigurations } = clients;
  const { service, cookie } = sessions;
  const waiting = createWaitingRequests(sealer, now);
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
  const signIn = createSignInService({
    people,
    accounts,
    passwords,
    sessions: service,
    factors: factors.factors,
    attempts,
    audit,
    logger,
    now,
  });
  const knownBrowser = createKnownBrowser(sessions.cookies, sealer);
  const choices = createChoices(sealer, now);
  const { findEndpoints, outbound, verifyIdentityToken, findClaimedPeople } = oauth.providers;
  const providerCookie = createProviderCookie(sessions.cookies, sealer, now);
  const providerSignIn = createProviderSignIn({
    ssoConfigurations,
    findEndpoints,
    outbound,
    verifyIdentityToken,
    findClaimedPeople,
    signIn,
    sessions: service,
    sealer,
    attempts,
    audit,
    logger,
    baseUrl,
    now,
  });
  const pages = createSignInPages({
    factors,
    applications,
    waiting,
    cookie,
    knownBrowser,
    choices,
    offeredProviders: providerSignIn.offered,
    baseUrl,
  });
  return {
    earlyRefusals: createEarlyRefusalRoutes(signIn, knownBrowser),
    pages: [
      createProviderSignInRoutes({ providerSignIn, pending: factors.pending, cookie, providerCookie }),
      createAuthorizeRoutes(authorize),
      createSignInRoutes({ signIn, pages, waiting, knownBrowser }),
      createChoiceRoutes({ signIn, pages, choices }),
      createPasskeySignInRoutes({ signIn, pages, factors, cookie, knownBrowser }),
      createSignOutRoutes(service, cookie),
      createSecondStepRoutes({ signIn, factors, cookie, knownBrowser }),
      createConsentRoutes(authorize, accounts),
    ],
  };
}
