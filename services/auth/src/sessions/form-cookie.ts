import type { Request, Response } from 'express';
import type { SessionCookie } from './session-cookie';
import { newSessionId } from './session.service';
import { visitorOf } from './visitor';

/** A form needs a cookie to be tied to; the one of a browser that has none yet means nothing else. */
export function formCookieOf(req: Request, res: Response, cookie: SessionCookie): string {
  const known = visitorOf(req).cookie;
  if (known !== undefined) return known;
  const fresh = newSessionId();
  cookie.write(res, fresh);
  return fresh;
}
