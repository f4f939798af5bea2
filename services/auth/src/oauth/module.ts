import type { Lookup } from '@itsm/shared/outbound/calls/lookup';
import { createOutbound } from '@itsm/shared/outbound/calls/outbound';
import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import type { Mails } from '../mails/module';
import { createIssueAccessToken, createTokenPairs } from '../tokens/issue-tokens';
import type { Foundations } from '../tokens/module';
import { createRevokeFamily } from '../tokens/revoke-family';
import { createAlertRepository } from './alert.repository';
import { createAlertService } from './alert.service';
import type { AlertService } from './alert.service';
import { createAuthorizationCodeGrant } from './authorization-code.grant';
import { createCheckAssertion } from './client-assertion';
import { createAuthenticateClient, notingUse } from './client-authentication';
import { createClientCredentialsGrant } from './client-credentials.grant';
import { createFindClaimedPeople } from './find-claimed-people';
import type { FindClaimedPeople } from './find-claimed-people';
import { createOAuthRoutes } from './oauth.routes';
import { createProviderDocuments } from './provider-documents';
import { createFindProviderEndpoints } from './provider-endpoints';
import type { FindProviderEndpoints } from './provider-endpoints';
import { createProviderKeys } from './provider-keys';
import { createProveKey } from './prove-key';
import { createRefreshTokenGrant } from './refresh-token.grant';
import { createRevocationService } from './revocation.service';
import { createTokenExchangeGrant } from './token-exchange.grant';
import { createTokenIntrospectionService } from './token-introspection.service';
import { createSsoCheckResolvers, ssoCheckTypeDefs } from './sso-check.resolvers';
import { createSsoCheck } from './sso-check.service';
import type { SsoCheck } from './sso-check.service';
import { createTokenService } from './token.service';
import { createVerifyIdentityToken } from './verify-identity-token';
import type { VerifyIdentityToken } from './verify-identity-token';

export interface ProviderOptions {
  /** DNS lookup for identity providers; default: the system's. */
  readonly providerLookup?: Lookup;
}

interface Settings {
  /** Whether identity providers may use http and loopback addresses, for local work. */
  readonly allowInsecureProviders: boolean;
  /** Grace period of refresh token rotation: for so long, a retry with the predecessor gets the same successors. */
  readonly refreshGraceSeconds: number;
  /** How long the tokens of an authorization code can be refreshed. */
  readonly refreshFamilyDays: number;
}

interface Needs extends Foundations {
  readonly mails: Mails;
  readonly settings: Settings;
  readonly options: ProviderOptions;
}

export interface OAuth extends Module {
  readonly alerts: AlertService;
  readonly ssoCheck: SsoCheck;
  /** Access to the documents of identity providers. */
  readonly providers: {
    readonly outbound: Outbound;
    readonly verifyIdentityToken: VerifyIdentityToken;
    readonly findClaimedPeople: FindClaimedPeople;
    readonly findEndpoints: FindProviderEndpoints;
  };
}

export function createOAuth(platform: MessagingPlatform, needs: Needs): OAuth {
  const { connection, presence, logger, now, baseUrl: issuer, nodeIdDomain } = platform;
  const { security, mails, directory, clients, tokens, settings, options } = needs;
  const { audit, announce, attempts, usedOnce } = security;
  const { accounts, people } = directory;
  const { ssoConfigurations } = clients;
  const { store, families, clientStates, grantStates, loadHolder, noteUse } = tokens;
  const { allowInsecureProviders: allowInsecure, refreshGraceSeconds, refreshFamilyDays } = settings;
  const profileUrl = `${issuer}/oauth/profile`;
  const alerts = createAlertService({
    alerts: createAlertRepository(connection),
    people,
    post: mails.post,
    presence,
    profileUrl,
    logger,
    now,
  });
  const { providerLookup: lookup } = options;
  const outbound = createOutbound({ allowInsecure, ...(lookup && { lookup }) });
  const revokeFamily = createRevokeFamily(families, announce, now);
  const issueAccessToken = createIssueAccessToken(store, now);
  const pairs = createTokenPairs(store, families);
  const documents = createProviderDocuments(outbound, allowInsecure);
  // Keys of applications have a known URL, so need no discovery, and are cached apart from those of providers.
  const atKnownAddress = {
    discover: (jwksUri: string) => Promise.resolve(jwksUri),
    fetchKeys: (jwksUri: string) => documents.fetchKeys(jwksUri),
  };
  const checkAssertion = createCheckAssertion({
    issuer,
    findFetchedKey: createProviderKeys(atKnownAddress, now),
    usedOnce,
    now,
  });
  const authenticateClient = notingUse(
    createAuthenticateClient({ clientStates, attempts, audit, checkAssertion, logger, now }),
    { applications: clients.store, noteUse },
  );
  const findProviderKey = createProviderKeys(documents, now);
  const verifyIdentityToken = createVerifyIdentityToken(findProviderKey, now);
  const proveKey = createProveKey(usedOnce, now);
  const issuing = {
    tokens: store,
    families,
    pairs,
    revokeFamily,
    audit,
    alerts,
    graceMilliseconds: refreshGraceSeconds * 1000,
    refreshableMilliseconds: refreshFamilyDays * 86_400_000,
    logger,
    now,
  };
  const service = createTokenService({
    grants: [
      createAuthorizationCodeGrant(issuing),
      createRefreshTokenGrant(issuing),
      createClientCredentialsGrant({ accounts, people, issueAccessToken }),
      createTokenExchangeGrant({
        ssoConfigurations,
        verifyIdentityToken,
        usedOnce,
        issueAccessToken,
        audit,
        logger,
      }),
    ],
    authenticateClient,
    proveKey,
  });
  const revocations = createRevocationService({
    authenticateClient,
    grantStates,
    tokens: store,
    revokeFamily,
    announce,
    audit,
    now,
  });
  const introspection = createTokenIntrospectionService({ authenticateClient, loadHolder, issuer, now });
  const routers = createOAuthRoutes({ issuer, tokens: service, revocations, introspection, proveKey, logger });
  const findClaimedPeople = createFindClaimedPeople({ people, accounts });
  const ssoCheck = createSsoCheck({ ssoConfigurations, documents, verifyIdentityToken, findClaimedPeople });
  return {
    alerts,
    ssoCheck,
    providers: {
      outbound,
      verifyIdentityToken,
      findClaimedPeople,
      findEndpoints: createFindProviderEndpoints(documents, now),
    },
    routes: Object.entries(routers).map(([path, router]) => ({ path, access: 'public', router })),
    sdl: ssoCheckTypeDefs,
    resolvers: createSsoCheckResolvers(ssoCheck, nodeIdDomain),
    runners: [alerts, { stop: () => outbound.close() }],
  };
}
