import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { tokenExchange } from '../clients/grant-types';
import type { Application } from '../clients/application';
import { narrowScopes } from '../clients/scope-sets';
import type { Audit } from '../security/audit.service';
import type { UsedOnceRepository } from '../security/used-once.repository';
import type { SsoConfiguration } from '../clients/sso-configuration';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import type { IssueAccessToken } from '../tokens/issue-tokens';
import type { AuthenticatedClient } from './client-authentication';
import type { Grant } from './grant';
import { toleranceSeconds } from './identity-claims';
import type { IdentityClaims } from './identity-claims';
import { maxTokenLength, signingInputOf, unverifiedClaims } from './identity-token';
import { invalidGrant, invalidRequest, OAuthError } from './oauth-error';
import { required } from './parameters';
import type { Parameters } from './parameters';
import type { ProvenKey } from './prove-key';
import { requestedActions } from './requested-scope';
import { personKeysOf, resolvePerson } from './resolve-person';
import type { VerifyIdentityToken } from './verify-identity-token';

interface Dependencies {
  readonly ssoConfigurations: Pick<SsoConfigurationService, 'findLinkable'>;
  readonly verifyIdentityToken: VerifyIdentityToken;
  readonly usedOnce: UsedOnceRepository;
  readonly issueAccessToken: IssueAccessToken;
  readonly audit: Audit;
  readonly logger: Logger;
}

const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** spec: OAuth: token exchange request. Exchanges a JWT of the identity provider for an access token of the person it identifies. */
export function createTokenExchangeGrant(dependencies: Dependencies): Grant {
  const { ssoConfigurations, verifyIdentityToken, usedOnce, issueAccessToken, audit, logger } = dependencies;

  async function loadConfiguration({ application, presented }: AuthenticatedClient): Promise<SsoConfiguration> {
    const { accountId, ssoConfigurationId } = application;
    if (ssoConfigurationId === null) throw invalidGrant('The application has no SSO configuration');
    const found = presented.ssoConfiguration ?? (await ssoConfigurations.findLinkable(accountId, ssoConfigurationId));
    if (!found || found.disabledAt) throw invalidGrant('The SSO configuration of the application is disabled');
    return found;
  }

  async function identify(client: AuthenticatedClient, subjectToken: string, key: ProvenKey | undefined) {
    const { application, presented } = client;
    const audience = checkAudienceSet(application);
    const configuration = await loadConfiguration(client);
    const { accountId, issuer } = configuration;
    const claims = await verifyIdentityToken(subjectToken, { accountId, issuer, audience });
    const person = resolvePerson(presented, configuration, claims);
    // Last, so that a refused token is not used up.
    await key?.useUp();
    await useUp(application.accountId, subjectToken, claims);
    return { person, configuration };
  }

  /** Refuses a verified subject token that an application of the account has exchanged before. */
  async function useUp(accountId: string, subjectToken: string, claims: IdentityClaims): Promise<void> {
    const expiresAt = new Date((Number(claims['exp']) + toleranceSeconds) * 1000);
    const digest = digestOf(`subject token ${JSON.stringify([accountId, nameOf(subjectToken, claims)])}`);
    if (!(await usedOnce.use(digest, expiresAt))) throw invalidGrant('The subject token was used before');
  }

  return {
    type: tokenExchange,
    look: (parameters) => ({ personKeys: personKeysOf(unverifiedClaims(required(parameters, 'subject_token'))) }),
    checkRequest: checkTokenExchangeRequest,
    rephrase: toExchangeError,
    async redeem(client, parameters, key) {
      const { application, token } = client;
      const { scopes } = application;
      try {
        const actions = requestedActions(parameters.get('scope'), scopes);
        const { person, configuration } = await identify(client, required(parameters, 'subject_token'), key);
        const { id: ssoConfigurationId, name: ssoConfiguration } = configuration;
        const facts = { ssoConfigurationId, ssoConfiguration };
        // A failed log entry fails the request, so that no token is returned without an entry.
        const [issued] = await Promise.all([
          issueAccessToken(client, person, key?.jkt, actions),
          audit.record(person.accountId, {
            event: 'token.exchanged',
            person,
            application,
            clientId: token.clientId,
            facts,
          }),
        ]);
        return { ...issued, issuedTokenType: accessTokenType, scopes: narrowScopes(scopes, actions) };
      } catch (error) {
        if (error instanceof OAuthError) {
          logger.info('token exchange refused', { applicationId: application.id, because: error.message });
        }
        throw error;
      }
    },
  };
}

/**
 * The identity of a token: its `jti`, or the signed part of it. The signature does not count, since one message has several valid
 * signatures, as with ECDSA.
 */
function nameOf(text: string, { iss, jti }: IdentityClaims): string {
  return JSON.stringify(typeof jti === 'string' && jti !== '' ? [iss, jti] : signingInputOf(text));
}

/** Requires an audience; without one, tokens made for other clients would be accepted. */
function checkAudienceSet({ audience }: Application): string {
  if (audience === null || audience === '') throw invalidGrant('The application has no audience');
  return audience;
}

/** spec: Errors, Token exchange: only three codes; wrong client credentials are an `invalid_request`. */
const toExchangeError = (error: OAuthError): OAuthError =>
  error.error === 'invalid_client' || error.error === 'unauthorized_client' ? invalidRequest(error.message) : error;

/** Checks of parameters that need no look-up (spec: OAuth: token exchange request). */
function checkTokenExchangeRequest(parameters: Parameters): void {
  checkSubjectTokenType(parameters);
  checkSubjectToken(parameters);
  checkRequestedType(parameters);
  checkNoActor(parameters);
}

function checkSubjectTokenType(parameters: Parameters): void {
  if (required(parameters, 'subject_token_type') !== jwtType) {
    throw invalidRequest(`subject_token_type must be ${jwtType}`);
  }
}

function checkSubjectToken(parameters: Parameters): void {
  if (required(parameters, 'subject_token').length > maxTokenLength) {
    throw invalidRequest('subject_token is longer than 16 KB');
  }
}

/** RFC 8693 §2.1: a request for another type of token must not be answered with an access token. */
function checkRequestedType(parameters: Parameters): void {
  if ((parameters.get('requested_token_type') ?? accessTokenType) !== accessTokenType) {
    throw invalidRequest(`requested_token_type must be ${accessTokenType}`);
  }
}

function checkNoActor(parameters: Parameters): void {
  if (parameters.has('actor_token') || parameters.has('actor_token_type')) {
    throw invalidRequest('actor_token is not supported');
  }
}
