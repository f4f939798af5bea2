import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';

/** Reads and sets the cookie with the session id. Over https its name has the prefix `__Host-`, which binds it to this host. */
export interface SessionCookie {
  read(req: Request): string | undefined;
  write(res: Response, value: string): void;
  clear(res: Response): void;
}

export function createSessionCookie(baseUrl: string): SessionCookie {
  const secure = baseUrl.startsWith('https:');
  const name = secure ? '__Host-session' : 'session';
  const attributes = { httpOnly: true, secure, sameSite: 'lax', path: '/' } as const;
  return {
    read(req) {
      const value = parseCookie(req.get('cookie') ?? '')[name];
      return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
    },
    write(res, value) {
      res.append('Set-Cookie', stringifySetCookie(name, value, attributes));
    },
    clear(res) {
      res.append('Set-Cookie', stringifySetCookie(name, '', { ...attributes, maxAge: 0 }));
    },
  };
}
