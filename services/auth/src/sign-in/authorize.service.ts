import { randomUUID } from 'node:crypto';
import { badRequest, notFound } from '@itsm/shared/base/errors/app-error';
import { toAppError } from '@itsm/shared/api/http/error-handler';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AccountRepository } from '../directory/account.repository';
import type { Application } from '../clients/application';
import type { ApplicationRepository } from '../clients/application.repository';
import { isOfInstallation } from '../clients/installed-application';
import { narrowScopes } from '../clients/scope-sets';
import type { Audit } from '../security/audit.service';
import { scopeFacts } from '../security/audit-entry';
import type { Authorization } from '../tokens/authorization';
import type { AuthorizationService } from '../tokens/authorization.service';
import type { Consent, ConsentRepository } from './consent.repository';
import { invalidRequest, OAuthError } from '../oauth/oauth-error';
import { belongsTo, emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import type { SignedIn, Visitor } from '../sessions/session';
import { requestedActions } from '../oauth/requested-scope';
import { toQuery } from './authorization-request';
import type { AuthorizationRequest, Query } from './authorization-request';
import type { AuthorizationResponses } from './authorization-response';
import { checkRequest } from './check-request';
import { checkTarget } from './check-target';
import type { Target } from './check-target';
import type { GrantBasis, IssueCode } from './issue-code';
import type { WaitingRequests } from './waiting-requests';

export type AuthorizeOutcome =
  | { readonly kind: 'answer'; readonly location: string }
  | { readonly kind: 'sign in'; readonly waitingId: string }
  | { readonly kind: 'ask'; readonly consentId: string };

/** The consent question: whether the application may do what these scopes allow. */
export interface Question {
  readonly consent: Consent;
  /** The id of the waiting request, so that another person can sign in and answer it. */
  readonly waitingId: string;
  readonly application: Application;
  readonly scopes: readonly Scope[];
}

interface Dependencies {
  readonly applications: ApplicationRepository;
  readonly accounts: AccountRepository;
  readonly authorizations: AuthorizationService;
  readonly consents: ConsentRepository;
  readonly waiting: WaitingRequests;
  readonly issueCode: IssueCode;
  readonly responses: AuthorizationResponses;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface AuthorizeService {
  /**
   * Decides an authorization request. Throws an `AppError`, shown as a page, when client or redirect URI is invalid;
   * every other fault is an answer to the application.
   */
  readonly authorize: (query: Query, visitor: Pick<Visitor, 'signedIn' | 'isHeldUp'>) => Promise<AuthorizeOutcome>;
  /** As `authorize`, for a request that waited for a sign-in. */
  resume(waitingId: string, signedIn: SignedIn | undefined): Promise<AuthorizeOutcome>;
  /** The consent question of this person; 404 for other people. */
  question(signedIn: SignedIn, consentId: string): Promise<Question>;
  /** Takes the answer, once, and returns the redirect URL. Every later fault goes to the application. */
  answer(signedIn: SignedIn, consentId: string, allowed: boolean): Promise<string>;
}

const consentMilliseconds = 10 * 60_000;

export function createAuthorizeService(dependencies: Dependencies): AuthorizeService {
  const { applications, accounts, authorizations, consents, waiting, responses, audit, logger, now } = dependencies;
  const { issueCode } = dependencies;

  async function checkMembership(person: Person, application: Application): Promise<void> {
    if (belongsTo(person, application.accountId)) return;
    const account = await accounts.find(application.accountId);
    if (account?.directoryAccountId === person.accountId) return;
    throw new OAuthError('access_denied', 'The person does not belong to the account of the application');
  }

  async function ask(signedIn: SignedIn, request: AuthorizationRequest, application: Application): Promise<string> {
    const { person, sessionDigest } = signedIn;
    const id = randomUUID();
    const expiresAt = new Date(now().getTime() + consentMilliseconds);
    const { accountId, id: personId } = person;
    const { scopesVersion } = application;
    await consents.insert({ id, sessionDigest, accountId, personId, request, scopesVersion, expiresAt });
    return id;
  }

  /** Whether the sign-in is too old for the request. One that was made for this request is accepted, however long the consent took. */
  const isTooOld = ({ authenticatedAt }: SignedIn, { maxAge, signInAfter }: AuthorizationRequest): boolean =>
    !signInAfter && maxAge !== undefined && now().getTime() - authenticatedAt.getTime() >= maxAge * 1_000;

  async function decide(
    target: Target,
    { query, signInAfter, isHeldUp }: Asked,
    signedIn: SignedIn | undefined,
  ): Promise<AuthorizeOutcome> {
    const { application } = target.client;
    const request = { ...checkRequest(target, query), ...(signInAfter && { signInAfter }) };
    const { prompt = [], redirectUri } = request;
    const actions = requestedActions(request.scope, application.scopes);
    if (!signedIn || isTooOld(signedIn, request) || !countsFor(signedIn, request, signInAfter)) {
      if (prompt.includes('none') && isHeldUp)
        throw new OAuthError('interaction_required', 'The person has to add a second factor');
      if (prompt.includes('none')) throw new OAuthError('login_required', 'The person has to sign in');
      return { kind: 'sign in', waitingId: waiting.keep({ ...request, signInAfter: signInAfter ?? now() }) };
    }
    const answer = async (basis: GrantBasis): Promise<AuthorizeOutcome> => ({
      kind: 'answer',
      location: responses.code(request, await issueCode(basis, request, actions)),
    });
    if (isOfInstallation(application)) return answer(basisOfInstalled(signedIn, application));
    const { person } = signedIn;
    await checkMembership(person, application);
    const isAsked = prompt.includes('consent');
    const present =
      !isAsked && (await authorizations.present(person.accountId, person, application, actions, redirectUri));
    if (!present && prompt.includes('none')) throw new OAuthError('consent_required', 'The person has to be asked');
    if (!present) return { kind: 'ask', consentId: await ask(signedIn, request, application) };
    return answer(basisOf(present, signedIn));
  }

  const askedOf = ({ person, sessionDigest }: SignedIn, id: string) => ({
    id,
    sessionDigest,
    accountId: person.accountId,
    personId: person.id,
  });

  /** The question with the present state of the application; 404 for any person other than the one asked. */
  async function load(signedIn: SignedIn, consentId: string): Promise<{ consent: Consent; target: Target }> {
    const consent = await consents.find(askedOf(signedIn, consentId), now());
    if (!consent) throw notFound();
    const { clientId, redirectUri } = consent.request;
    return { consent, target: await checkTarget(applications, { client_id: clientId, redirect_uri: redirectUri }) };
  }

  const refusalOf = (error: unknown): OAuthError => {
    const refusal = toOAuthError(error);
    if (refusal.error === 'server_error') logger.error('authorization request failed', { error });
    return refusal;
  };

  async function authorize(asked: Asked, signedIn: SignedIn | undefined): Promise<AuthorizeOutcome> {
    const target = await checkTarget(applications, asked.query);
    try {
      return await decide(target, asked, signedIn);
    } catch (error) {
      return { kind: 'answer', location: responses.error(target, refusalOf(error)) };
    }
  }

  /** Issues the code if the person allows exactly what they were shown. */
  async function settle(signedIn: SignedIn, consent: Consent, application: Application, allowed: boolean) {
    const { request, scopesVersion } = consent;
    const { person } = signedIn;
    const { accountId } = person;
    const actions = requestedActions(request.scope, application.scopes);
    const facts = { scopes: scopeFacts(narrowScopes(application.scopes, actions)) };
    const entry = { person, application, clientId: request.clientId, facts };
    if (!allowed) {
      await audit.record(accountId, { event: 'authorization.denied', ...entry });
      throw new OAuthError('access_denied', 'The person did not allow the application');
    }
    if (application.scopesVersion !== scopesVersion) throw invalidRequest(changedMeanwhile);
    // Log before the grant: an entry without a grant is better than a grant without an entry.
    await audit.record(accountId, { event: 'authorization.granted', ...entry });
    const authorization = await authorizations.grant(accountId, person, application, actions, request.redirectUri);
    return issueCode(basisOf(authorization, signedIn), request, actions);
  }

  return {
    authorize: (query, { signedIn, isHeldUp }) => authorize({ query, ...(isHeldUp && { isHeldUp }) }, signedIn),
    async resume(waitingId: string, signedIn: SignedIn | undefined): Promise<AuthorizeOutcome> {
      const request = waiting.find(waitingId);
      if (!request) throw badRequest('This authorization request has expired. Please start again at the application.');
      const { signInAfter } = request;
      return authorize({ query: toQuery(request), ...(signInAfter && { signInAfter }) }, signedIn);
    },
    async question(signedIn: SignedIn, consentId: string): Promise<Question> {
      const { consent, target } = await load(signedIn, consentId);
      const { application } = target.client;
      if (application.scopesVersion !== consent.scopesVersion) throw badRequest(changedMeanwhile);
      const scopes = narrowScopes(application.scopes, requestedActions(consent.request.scope, application.scopes));
      return { consent, waitingId: waiting.keep(consent.request), application, scopes };
    },
    async answer(signedIn: SignedIn, consentId: string, allowed: boolean): Promise<string> {
      const { target } = await load(signedIn, consentId);
      const consent = await consents.take(askedOf(signedIn, consentId), now());
      if (!consent) throw notFound();
      const { request } = consent;
      try {
        return responses.code(request, await settle(signedIn, consent, target.client.application, allowed));
      } catch (error) {
        return responses.error(request, refusalOf(error));
      }
    },
  };
}

const basisOf = ({ id, ...authorization }: Authorization, { authenticatedAt }: SignedIn): GrantBasis => {
  const { accountId, personId, applicationAccountId, applicationId, scopesVersion } = authorization;
  return {
    authorizationId: id,
    accountId,
    personId,
    applicationAccountId,
    applicationId,
    scopesVersion,
    authenticatedAt,
  };
};

/** The application of the installation needs no consent. */
const basisOfInstalled = (
  { person, sessionId, authenticatedAt }: SignedIn,
  { id, accountId, scopesVersion }: Application,
): GrantBasis => ({
  authorizationId: null,
  accountId: person.accountId,
  personId: person.id,
  applicationAccountId: accountId,
  applicationId: id,
  scopesVersion,
  sessionId,
  authenticatedAt,
});

interface Asked {
  readonly query: Query;
  /** For a request that waited for a sign-in: earlier sign-ins are not accepted. */
  readonly signInAfter?: Date;
  readonly isHeldUp?: true;
}

/** The clocks of replicas differ; a sign-in of a moment ago is accepted. */
const toleranceMilliseconds = 30_000;

/** Whether the present sign-in is accepted for the request. */
export function countsFor(
  { person, authenticatedAt }: SignedIn,
  { prompt = [], loginHint }: Pick<AuthorizationRequest, 'prompt' | 'loginHint'>,
  signInAfter: Date | undefined,
): boolean {
  // After the sign-in page any person is accepted, whatever `login_hint` says.
  if (signInAfter) return authenticatedAt.getTime() >= signInAfter.getTime() - toleranceMilliseconds;
  if (prompt.includes('login') || prompt.includes('select_account')) return false;
  return loginHint == null || emailKeyOf(loginHint) === emailKeyOf(person.primaryEmail);
}

const changedMeanwhile = 'The application has changed in the meantime. Please start again there.';

/** Maps errors to codes of RFC 6749 §4.1.2.1: `temporarily_unavailable` for an outage, `server_error` for an internal fault. */
function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  const refused = toAppError(error);
  if (refused?.code === 'service_unavailable' || refused?.code === 'insufficient_storage')
    return new OAuthError('temporarily_unavailable', refused.message);
  return new OAuthError('server_error', 'Something went wrong here');
}
