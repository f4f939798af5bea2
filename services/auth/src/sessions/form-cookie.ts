import type { Request, Response } from 'express';
import type { SessionCookie } from './session-cookie';
import { newSessionId } from './session.service';
import { visitorOf } from './visitor';

/** The cookie that a form token is bound to. A browser without one gets a random one, which has no other meaning. */
export function formCookieOf(req: Request, res: Response, cookie: SessionCookie): string {
  const known = visitorOf(req).cookie;
  if (known !== undefined) return known;
  const fresh = newSessionId();
  cookie.write(res, fresh);
  return fresh;
}
