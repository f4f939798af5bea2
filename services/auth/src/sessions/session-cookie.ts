import type { Cookies } from '@itsm/shared/api/http/cookies';
import type { Request, Response } from 'express';

/** Reads and sets the cookie with the session id. */
export interface SessionCookie {
  read(req: Request): string | undefined;
  write(res: Response, value: string): void;
  clear(res: Response): void;
}

const name = 'session';

export const createSessionCookie = (cookies: Cookies): SessionCookie => ({
  read(req) {
    const value = cookies.read(req, name);
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
  },
  write: (res, value) => cookies.write(res, name, value, { sameSite: 'lax' }),
  clear: (res) => cookies.clear(res, name),
});
