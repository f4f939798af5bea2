import type { Request, RequestHandler } from 'express';
import type { SignedIn, Visitor } from './session';
import type { SessionCookie } from './session-cookie';
import type { SessionService } from './session.service';

const visitors = new WeakMap<Request, Visitor>();

/** Identifies the visitor, for the handlers that follow. */
export const identifyVisitor =
  (sessions: SessionService, cookie: SessionCookie): RequestHandler =>
  async (req, _res, next) => {
    visitors.set(req, await sessions.identify(cookie.read(req)));
    next();
  };

export const visitorOf = (req: Request): Visitor => visitors.get(req) ?? { cookie: undefined, signedIn: undefined };

/** Treats the request as not signed in, because the person must first complete a page. */
export const hideSignIn = (req: Request): void =>
  void visitors.set(req, { ...visitorOf(req), signedIn: undefined, isHeldUp: true });

/** Sets the visitor of the request. */
export const setVisitor = (req: Request, visitor: Visitor): void => void visitors.set(req, visitor);

/** For handlers behind `requireSignIn`. */
export function signedInOf(req: Request): SignedIn {
  const { signedIn } = visitorOf(req);
  if (!signedIn) throw new Error('requireSignIn is missing before this handler');
  return signedIn;
}

/** Redirects to the sign-in page without a session. After sign-in the requested page follows; after a form it is `page`. */
export const requireSignIn =
  (page: string): RequestHandler =>
  (req, res, next) => {
    if (visitorOf(req).signedIn) next();
    else res.redirect(303, `/oauth/sign-in?next=${encodeURIComponent(req.method === 'GET' ? req.originalUrl : page)}`);
  };
