import type { Request, RequestHandler } from 'express';
import type { SignedIn, Visitor } from './session';
import type { SessionCookie } from './session-cookie';
import type { SessionService } from './session.service';

const visitors = new WeakMap<Request, Visitor>();

/** Finds out who looks at the pages that follow. */
export const identifyVisitor =
  (sessions: SessionService, cookie: SessionCookie): RequestHandler =>
  async (req, _res, next) => {
    visitors.set(req, await sessions.identify(cookie.read(req)));
    next();
  };

export const visitorOf = (req: Request): Visitor => visitors.get(req) ?? { cookie: undefined, signedIn: undefined };

/** From here on the request is that of somebody who is not signed in, since a page has to come first. */
export const hideSignIn = (req: Request): void =>
  void visitors.set(req, { ...visitorOf(req), signedIn: undefined, isHeldUp: true });

/** From here on the request is that of this visitor. */
export const setVisitor = (req: Request, visitor: Visitor): void => void visitors.set(req, visitor);

/** For handlers behind `requireSignIn`. */
export function signedInOf(req: Request): SignedIn {
  const { signedIn } = visitorOf(req);
  if (!signedIn) throw new Error('requireSignIn is missing before this handler');
  return signedIn;
}

/** Sends people who are not signed in to the sign-in page, and from there to what they asked for; after a form to `page`. */
export const requireSignIn =
  (page: string): RequestHandler =>
  (req, res, next) => {
    if (visitorOf(req).signedIn) next();
    else res.redirect(303, `/oauth/sign-in?next=${encodeURIComponent(req.method === 'GET' ? req.originalUrl : page)}`);
  };
