import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { epochSeconds } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import { formerRedirectUriOf, isSignInProvider, redirectUriOf, secretContextOf } from '../clients/sso-configuration';
import type { SignInProvider } from '../clients/sso-configuration';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import { withParameters } from '../clients/redirect-uri';
import type { Person } from '../directory/person';
import type { FindClaimedPeople } from '../oauth/find-claimed-people';
import { toleranceSeconds } from '../oauth/identity-claims';
import type { IdentityClaims } from '../oauth/identity-claims';
import { invalidGrant, OAuthError } from '../oauth/oauth-error';
import type { FindProviderEndpoints } from '../oauth/provider-endpoints';
import { resolvePerson, signInAccounts } from '../oauth/resolve-person';
import type { VerifyIdentityToken } from '../oauth/verify-identity-token';
import type { Attempts } from '../security/attempts';
import type { Audit } from '../security/audit.service';
import type { SignedIn } from '../sessions/session';
import type { SessionService } from '../sessions/session.service';
import { throttledText } from './sign-in.service';
import type { SignInOutcome, SignInService } from './sign-in.service';

interface Dependencies {
  readonly ssoConfigurations: Pick<SsoConfigurationService, 'findLinkable' | 'listLinkable'>;
  readonly findEndpoints: FindProviderEndpoints;
  readonly outbound: Pick<Outbound, 'fetchJson'>;
  readonly verifyIdentityToken: VerifyIdentityToken;
  readonly findClaimedPeople: FindClaimedPeople;
  readonly signIn: Pick<SignInService, 'enter'>;
  readonly sessions: Pick<SessionService, 'vouch'>;
  readonly sealer: Sealer;
  readonly attempts: Pick<Attempts, 'countOrWait' | 'secondsLeft'>;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly baseUrl: string;
  readonly now: Clock;
}

/** The state of a sign-in while the person is at the provider, kept in a sealed cookie. */
export interface Started {
  readonly accountId: string;
  readonly configurationId: number;
  readonly nonce: string;
  /** RFC 7636 §4.1 */
  readonly verifier: string;
  /** Whether the provider was given the redirect URI that all providers share. */
  readonly former?: true;
  /** For a step-up: the session, and when it started, in epoch seconds. */
  readonly again?: { readonly session: string; readonly since: number };
}

/** The parameters of the provider's redirect. */
export interface ProviderAnswer {
  readonly code: string | undefined;
  readonly error: string | undefined;
  readonly iss: string | undefined;
  /** The configuration to which the redirect URI belongs; undefined for the one that all providers share. */
  readonly to: number | undefined;
  /** Of the browser that brings it. */
  readonly network: string;
}

export interface Offered {
  readonly id: number;
  readonly name: string;
}

/** Sign-in with the identity provider of an account: OpenID Connect Core 1.0 §3.1, with PKCE, state and nonce. */
export interface ProviderSignIn {
  /** The providers at which people of the account can sign in; empty for an unknown account. */
  readonly offered: (accountId: string) => Promise<readonly Offered[]>;
  /** The address to redirect to with a `state`, and what has to be kept meanwhile. A 404 for a provider that is not offered. */
  start(
    accountId: string,
    configurationId: number,
    signedIn?: SignedIn,
  ): Promise<{ readonly locationFor: (state: string) => string; readonly started: Started }>;
  /**
   * Whether the answer is of the provider at which the sign-in began (mix-up, RFC 9700 §4.4). If not, nothing of it is sent to anybody, and
   * the sign-in goes on. The caller has checked browser and `state`.
   */
  isMeant(started: Started, answer: ProviderAnswer): Promise<boolean>;
  /** Signs the person in by the provider's answer, which is meant. */
  finish(
    started: Started,
    answer: ProviderAnswer,
    cookie: string | undefined,
  ): Promise<Extract<SignInOutcome, { kind: 'signed in' | 'second step' | 'refused' }>>;
  /** For a step-up: records that the provider has authenticated the person; false when it names another person or none. */
  vouch(started: Started, answer: ProviderAnswer, signedIn: SignedIn | undefined): Promise<boolean>;
}

const quarterMilliseconds = 15 * 60_000;

/** What goes wrong at one provider slows down nobody who signs in at another. */
const keyOf = ({ configurationId }: Started, { network }: ProviderAnswer): string =>
  `provider ${configurationId} ${network}`;

const random = (): string => randomBytes(32).toString('base64url');

export function createProviderSignIn(dependencies: Dependencies): ProviderSignIn {
  const { ssoConfigurations, findEndpoints, outbound, verifyIdentityToken, findClaimedPeople } = dependencies;
  const { signIn, sessions, sealer, attempts, audit, logger, baseUrl, now } = dependencies;
  const redirectUriFor = (id: number, isFormer: boolean): string =>
    isFormer ? formerRedirectUriOf(baseUrl) : redirectUriOf(baseUrl, id);

  async function load(accountId: string, id: number): Promise<SignInProvider> {
    const found = await ssoConfigurations.findLinkable(accountId, id);
    if (!found || !isSignInProvider(found)) throw notFound();
    return found;
  }

  async function redeem(client: SignInProvider, code: string, { verifier, former }: Started): Promise<string> {
    const { id, clientId, sealedClientSecret } = client;
    const { token, secretInForm } = await findEndpoints(client);
    const secret = sealedClientSecret === null ? null : sealer.open(sealedClientSecret, secretContextOf(id));
    const inHeader = secret !== null && !secretInForm;
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUriFor(id, former === true),
      code_verifier: verifier,
      ...(!inHeader && { client_id: clientId }),
      ...(secret !== null && secretInForm && { client_secret: secret }),
    });
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(inHeader && { Authorization: basic(clientId, secret) }),
    };
    const answer = await outbound.fetchJson(token, { headers, body: form.toString() });
    if (answer.kind !== 'fetched')
      throw invalidGrant(`The identity provider did not redeem the code: ${answer.message}`);
    const { id_token: idToken } = answer.document;
    if (typeof idToken !== 'string') throw invalidGrant('The identity provider answered without an ID token');
    return idToken;
  }

  /** The former redirect URI says nothing about the sender, so there `iss` has to, whether it was promised or not. */
  async function checkSender(started: Started, client: SignInProvider, { iss, to }: ProviderAnswer): Promise<void> {
    const isOurs = started.former ? to === undefined : to === client.id;
    if (!isOurs || (iss !== undefined && iss !== client.issuer))
      throw invalidGrant('The answer is of another identity provider');
    const { namesItself } = await findEndpoints(client);
    if (iss === undefined && (namesItself || started.former))
      throw invalidGrant('The answer does not name the identity provider that it is of');
  }

  async function identify(started: Started, client: SignInProvider, { code, error }: ProviderAnswer): Promise<Person> {
    const { accountId, issuer, clientId } = client;
    if (error !== undefined || code === undefined) throw invalidGrant('The identity provider refused the sign-in');
    const idToken = await redeem(client, code, started);
    const claims = await verifyIdentityToken(idToken, { accountId, issuer, audience: clientId });
    checkNonceAndClient(claims, started.nonce, clientId);
    if (started.again) checkAsked(claims, started.again.since);
    const { accounts, people } = await findClaimedPeople(started.accountId, claims);
    return resolvePerson({ accounts: signInAccounts(accounts, client), people }, client, claims);
  }

  /** Anybody can make up answers, each of which costs a call of the provider. */
  async function checkWait(started: Started, answer: ProviderAnswer): Promise<void> {
    const seconds = (await attempts.secondsLeft(keyOf(started, answer))) ?? 0;
    if (seconds === 0) return;
    throw new AppError('too_many_requests', throttledText(seconds), { headers: { 'Retry-After': String(seconds) } });
  }

  /** Counts a refusal, and records it in the security log; anything else is a fault. */
  async function note(
    error: unknown,
    started: Started,
    { name }: SignInProvider,
    answer: ProviderAnswer,
  ): Promise<void> {
    if (!(error instanceof OAuthError)) throw error;
    const { message: because } = error;
    const { accountId, configurationId } = started;
    logger.info('sign-in with a provider refused', { accountId, configurationId, because });
    await attempts.countOrWait(keyOf(started, answer), 'address');
    const quarter = String(Math.floor(now().getTime() / quarterMilliseconds));
    // Made-up answers fill a line in a quarter of an hour, not the store.
    const once = [String(configurationId), answer.network, because, quarter];
    await audit.record(accountId, { event: 'sign_in.failed', facts: { because, with: name }, once });
  }

  return {
    async offered(accountId) {
      const all = await ssoConfigurations.listLinkable(accountId);
      return all.filter(isSignInProvider).map(({ id, name }) => ({ id, name }));
    },
    async start(accountId, configurationId, signedIn) {
      const client = await load(accountId, configurationId);
      const { authorization, namesItself } = await findEndpoints(client);
      const isFormer = client.formerRedirectUri && namesItself;
      const again = signedIn && { session: signedIn.sessionDigest, since: epochSeconds(now()) };
      const secrets = { nonce: random(), verifier: random() };
      const started = {
        accountId,
        configurationId,
        ...secrets,
        ...(isFormer && { former: true as const }),
        ...(again && { again }),
      };
      const locationFor = (state: string) =>
        withParameters(authorization, {
          response_type: 'code',
          client_id: client.clientId,
          redirect_uri: redirectUriFor(client.id, isFormer),
          scope: 'openid email',
          state,
          nonce: started.nonce,
          prompt: again && 'login',
          // `max_age` makes the provider include `auth_time` in the ID token.
          max_age: again && '0',
          code_challenge: createHash('sha256').update(started.verifier).digest('base64url'),
          code_challenge_method: 'S256',
        });
      return { locationFor, started };
    },
    async isMeant(started, answer) {
      await checkWait(started, answer);
      const client = await load(started.accountId, started.configurationId);
      try {
        await checkSender(started, client, answer);
        return true;
      } catch (error) {
        await note(error, started, client, answer);
        return false;
      }
    },
    async finish(started, answer, cookie) {
      const { accountId, configurationId } = started;
      const client = await load(accountId, configurationId);
      try {
        const person = await identify(started, client, answer);
        return await signIn.enter(person, cookie, { shown: client.name, atProvider: true });
      } catch (error) {
        await note(error, started, client, answer);
        return { kind: 'refused' };
      }
    },
    async vouch(started, answer, signedIn) {
      const client = await load(started.accountId, started.configurationId);
      try {
        const person = await identify(started, client, answer);
        if (signedIn?.sessionDigest !== started.again?.session || signedIn?.person.id !== person.id)
          throw invalidGrant('The identity provider authenticated another person than the one who is signed in');
        await sessions.vouch(signedIn);
        return true;
      } catch (error) {
        await note(error, started, client, answer);
        return false;
      }
    },
  };
}

/** OpenID Connect Core 1.0 §3.1.3.7: `nonce` must be that of this sign-in, `azp` our client. */
function checkNonceAndClient({ nonce, azp }: IdentityClaims, expected: string, clientId: string): void {
  if (nonce !== expected) throw invalidGrant('The ID token is of another sign-in');
  if (azp !== undefined && azp !== clientId) throw invalidGrant('The ID token was issued to another client');
}

/**
 * Checks `auth_time` after `prompt=login` and `max_age` (OpenID Connect Core 1.0 §3.1.2.1). An earlier authentication
 * is no step-up, and neither is one without a time.
 */
function checkAsked({ auth_time: authTime }: IdentityClaims, since: number): void {
  if (typeof authTime !== 'number') throw invalidGrant('The identity provider did not say when the person signed in');
  if (authTime < since - toleranceSeconds)
    throw invalidGrant('The identity provider did not let the person sign in again');
}

/** RFC 6749 §2.3.1: both parts are form-encoded. */
function basic(clientId: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(secret)}`).toString('base64')}`;
}
