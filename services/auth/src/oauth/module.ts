import type { Lookup } from '@itsm/shared/outbound/calls/lookup';
import { createOutbound } from '@itsm/shared/outbound/calls/outbound';
import { createPost } from '@itsm/shared/outbound/mail/post';
import type { Module, Platform } from '@itsm/shared/running/module';
import type { Clients } from '../clients/module';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import { createIssueAccessToken, createTokenPairs } from '../tokens/issue-tokens';
import type { Tokens } from '../tokens/module';
import { createRevokeFamily } from '../tokens/revoke-family';
import { createAlertRepository } from './alert.repository';
import { createAlertService } from './alert.service';
import type { AlertService } from './alert.service';
import { createAuthorizationCodeGrant } from './authorization-code.grant';
import { createAuthenticateClient } from './client-authentication';
import { createClientCredentialsGrant } from './client-credentials.grant';
import { createOAuthRoutes } from './oauth.routes';
import { createProviderDocuments } from './provider-documents';
import { createProviderKeys } from './provider-keys';
import { createRefreshTokenGrant } from './refresh-token.grant';
import { createRevocationService } from './revocation.service';
import { createTokenExchangeGrant } from './token-exchange.grant';
import { createTokenIntrospectionService } from './token-introspection.service';
import { createTokenService } from './token.service';
import { createVerifyIdentityToken } from './verify-identity-token';

export interface ProviderOptions {
  /** How the names of identity providers become addresses; by the name servers unless given. */
  readonly providerLookup?: Lookup;
}

interface Settings {
  /** Whether identity providers may use http and loopback addresses, for local work. */
  readonly allowInsecureProviders: boolean;
  /** How long the predecessor of a refresh token still yields the same successors. */
  readonly refreshGraceSeconds: number;
  /** Undefined: mails are kept and shown, and none is sent. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
}

interface Needs {
  readonly security: Security;
  readonly directory: Directory;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly settings: Settings;
  readonly options: ProviderOptions;
}

export interface OAuth extends Module {
  readonly alerts: AlertService;
}

export function createOAuth({ connection, logger, now, baseUrl: issuer }: Platform, needs: Needs): OAuth {
  const { security, directory, clients, tokens, settings, options } = needs;
  const { audit, announce, attempts } = security;
  const { accounts, people } = directory;
  const { ssoConfigurations } = clients;
  const { store, families, clientStates, grantStates, loadHolder } = tokens;
  const { allowInsecureProviders: allowInsecure, refreshGraceSeconds, smtpUrl, mailFrom } = settings;
  const post = createPost({ smtpUrl, mailFrom, connection, logger, now });
  const profileUrl = `${issuer}/oauth/profile`;
  const alerts = createAlertService({
    alerts: createAlertRepository(connection),
    people,
    post,
    profileUrl,
    logger,
    now,
  });
  const { providerLookup: lookup } = options;
  const outbound = createOutbound({ allowInsecure, ...(lookup && { lookup }) });
  const authenticateClient = createAuthenticateClient({ clientStates, attempts, audit, logger, now });
  const revokeFamily = createRevokeFamily(families, announce, now);
  const issueAccessToken = createIssueAccessToken(store, now);
  const pairs = createTokenPairs(store, families);
  const findProviderKey = createProviderKeys(createProviderDocuments(outbound), now);
  const verifyIdentityToken = createVerifyIdentityToken(findProviderKey, now);
  const issuing = {
    tokens: store,
    families,
    pairs,
    revokeFamily,
    audit,
    alerts,
    graceMilliseconds: refreshGraceSeconds * 1000,
    logger,
    now,
  };
  const service = createTokenService({
    grants: [
      createAuthorizationCodeGrant(issuing),
      createRefreshTokenGrant(issuing),
      createClientCredentialsGrant({ accounts, people, issueAccessToken }),
      createTokenExchangeGrant({ ssoConfigurations, verifyIdentityToken, issueAccessToken, audit, logger }),
    ],
    authenticateClient,
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
  const routers = createOAuthRoutes({ issuer, tokens: service, revocations, introspection, logger });
  return {
    alerts,
    routes: Object.entries(routers).map(([path, router]) => ({ path, access: 'public', router })),
    stores: [post],
    runners: [alerts, { stop: () => outbound.close() }],
  };
}
