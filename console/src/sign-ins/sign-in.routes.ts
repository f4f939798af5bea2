import { createHash, randomBytes } from 'node:crypto';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { AppError, insufficientStorage } from '@itsm/shared/base/errors/app-error';
import { writeTime } from '@itsm/shared/base/time/time-text';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { isAccountId } from '@itsm/shared/api/identity/account-id';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { consoleSignIns } from '@itsm/shared/observing/metrics/metrics';
import { requireOwnPage } from '../sessions/own-page';
import type { Session, SessionCookie } from '../sessions/session-cookie';
import type { Attempt, AttemptCookies } from './attempt-cookie';
import type { Client, Outcome } from './client';
import { sendLater, sendSetUpWrong, sendSignInAgain } from './sign-in-again.page';

interface Dependencies {
  readonly client: Client;
  readonly attempts: AttemptCookies;
  readonly cookie: SessionCookie;
  readonly clientId: string;
  readonly redirectUri: string;
  /** The expected issuer of the authorization response (RFC 9207). */
  readonly issuer: string;
  readonly logger: Logger;
}

/** The authorization code flow, from a browser without a session to one with it; and the sign-out. */
export function createSignInRoutes(dependencies: Dependencies): Router {
  const { client, cookie, logger } = dependencies;
  const router = Router();
  router.use('/console', (_req, res, next) => {
    // Another site that opened the page cannot send it on to the next sign-in.
    res.set({ 'Cache-Control': 'no-store', 'Cross-Origin-Opener-Policy': 'same-origin' });
    next();
  });
  for (const path of Object.keys(inOwnAccount))
    router
      .route(path)
      .get((req, res) => {
        const session = cookie.read(req);
        const signIn = `/console/sign-in?${new URLSearchParams({ next: path }).toString()}`;
        res.set('Cache-Control', 'no-store').redirect(302, session ? pathAfter(path, session) : signIn);
      })
      .all(methodNotAllowed('GET'));
  router
    .route('/console/sign-in')
    // Only the console's pages may renew silently; for other sites it would reveal whether somebody is signed in.
    .all((req, res, next) => (isQuiet(req) ? requireOwnPage(req, res, next) : next()))
    .get((req, res) => res.redirect(302, begin(dependencies, req, res)))
    .all(methodNotAllowed('GET'));
  router
    .route('/console/callback')
    .get((req, res) => end(dependencies, req, res))
    .all(methodNotAllowed('GET'));
  router
    .route('/console/sign-out')
    .all(requireOwnPage)
    .post(async (req, res) => {
      const session = cookie.read(req);
      cookie.clear(res);
      if (session) await client.revoke(req, session.token);
      logger.info('signed out', { person: session?.person });
      res.status(204).end();
    })
    .all(methodNotAllowed('POST'));
  return router;
}

const isQuiet = (req: Request): boolean => req.query['quiet'] === '1';

/** Addresses for those who do not name their account, with what they lead to below it; `/graphql` leads to the second. */
const inOwnAccount: Readonly<Record<string, string>> = { '/': '', '/console/explorer': '/explorer' };

/**
 * Where a sign-in with this `next` leads. Not to an address that needs the session: after a sign-in at another site the
 * browser does not send its cookie, and each redirect would start the next sign-in.
 */
function pathAfter(next: string, { account }: Session): string {
  const below = Object.hasOwn(inOwnAccount, next) ? inOwnAccount[next] : undefined;
  return below === undefined ? next : `/accounts/${account}${below}`;
}

/** The authorization URL; the browser gets a cookie with what is needed to redeem the code. */
function begin({ attempts, cookie, clientId, redirectUri }: Dependencies, req: Request, res: Response): string {
  const verifier = randomBytes(32).toString('base64url');
  const quiet = isQuiet(req);
  const { next, account, max_age: maxAge } = req.query;
  const session = quiet ? cookie.read(req) : undefined;
  const state = session ? attempts.stateOfRenewal(session, verifier) : randomBytes(24).toString('base64url');
  if (!session) attempts.write(req, res, { state, verifier, next: nextPath(next), quiet });
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  if (quiet) parameters.set('prompt', 'none');
  if (typeof account === 'string' && isAccountId(account)) parameters.set('account', account);
  if (typeof maxAge === 'string' && /^\d{1,9}$/.test(maxAge)) parameters.set('max_age', maxAge);
  return `/oauth/authorize?${parameters.toString()}`;
}

/**
 * Handles the authorization response. Anything unexpected leads to a page with a new sign-in, never into a redirect
 * loop.
 */
async function end(dependencies: Dependencies, req: Request, res: Response): Promise<void> {
  const { attempts, cookie, logger } = dependencies;
  const { state } = req.query;
  const attempt =
    typeof state === 'string'
      ? (attempts.read(req, state) ?? attempts.readRenewal(dependencies.cookie.read(req), state))
      : undefined;
  const isOfAuth = req.query['iss'] === dependencies.issuer;
  // The answer of another server (mix-up, RFC 9700 §4.4) is refused, and does not end the sign-in.
  if (attempt && isOfAuth) attempts.clear(req, res, attempt.state);
  const refusal: Outcome = { refused: attempt ? 'another issuer' : 'unknown attempt' };
  const outcome = attempt && isOfAuth ? await outcomeOf(dependencies, req, attempt) : refusal;
  const kind = attempt?.quiet ? 'renewal' : 'sign-in';
  consoleSignIns.inc({ kind, outcome: 'session' in outcome ? 'ok' : 'refused' });
  if ('refused' in outcome) {
    const { refused: reason, isSetUpWrong, later } = outcome;
    if (isSetUpWrong) logger.error('sign-in impossible', { kind, reason });
    else logger.info('sign-in refused', { kind, reason });
    if (isSetUpWrong) sendSetUpWrong(res, reason);
    else if (later && !attempt?.quiet) sendLater(res, later, attempt?.next);
    else if (later) throw later;
    else if (attempt?.quiet) res.status(401).json({ message: 'Unauthorized' });
    else sendSignInAgain(res, attempt?.next);
    return;
  }
  cookie.write(res, outcome.session);
  logger.info('signed in', { kind, person: outcome.session.person });
  if (attempt?.quiet)
    res
      .set('X-Console-Expires', writeTime(new Date(outcome.session.exp)))
      .status(204)
      .end();
  else res.redirect(302, pathAfter(attempt?.next ?? '/', outcome.session));
}

async function outcomeOf(
  { client, cookie }: Dependencies,
  req: Request,
  { verifier, quiet }: Attempt,
): Promise<Outcome> {
  const { code, error, error_description: description } = req.query;
  if (error === 'temporarily_unavailable') return { refused: error, later: outageOf(description) };
  if (typeof code !== 'string') return { refused: knownErrors.find((one) => one === error) ?? 'no code' };
  const outcome = await client.redeem(req, code, verifier);
  if ('refused' in outcome) return outcome;
  // A renewal must not change the person: the page's content and drafts belong to the one who opened it.
  const before = cookie.read(req);
  if (quiet && before && before.person !== outcome.session.person) {
    await client.revoke(req, outcome.session.token);
    return { refused: 'another person' };
  }
  return outcome;
}

/** What auth says of itself: its disk is full, or it is out of reach of something. */
function outageOf(description: unknown): AppError {
  const full = insufficientStorage();
  return description === full.message ? full : new AppError('service_unavailable', 'The platform is busy or starting');
}

/** Only known error codes are logged, never the client's input. */
const knownErrors = [
  'login_required',
  'interaction_required',
  'access_denied',
  'invalid_request',
  'unauthorized_client',
  'server_error',
  'temporarily_unavailable',
];

/** The path is kept in a cookie, of which any page elsewhere can cause some. */
const longestPath = 300;

/**
 * The path that a sign-in returns to: on this origin, as browsers normalise it, and unambiguous. `/` for anything else,
 * such as `//evil.example`, `/\evil.example` and dot segments, which browsers resolve.
 */
function nextPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > longestPath || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given))
    return '/';
  const { origin, pathname, search, hash } = new URL(given, probe);
  return origin === probe && `${pathname}${search}${hash}` === given ? given : '/';
}

const probe = 'https://console.invalid';
