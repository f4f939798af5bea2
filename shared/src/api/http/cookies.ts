import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';

interface Bound {
  /** The longest value, in characters. Writing a longer one throws. */
  readonly longest: number;
}

const prefix = '__Host-';

/** The cookies of console sign-ins under way. Starting another one overwrites the oldest. */
export const attemptNames = ['console-login-0', 'console-login-1', 'console-login-2'] as const;

const attempt: Bound = { longest: 650 };

/**
 * Every cookie of the platform's origin. Servers refuse requests whose headers are too long, and any page elsewhere can make a browser start sign-ins. So each cookie has a fixed
 * name and a bounded value, and together they stay below 4 KB. All have the path `/`, which the prefix `__Host-` requires (RFC 6265bis §4.1.3.2).
 */
export const cookieBounds = {
  session: { longest: 43 },
  'known-browser': { longest: 110 },
  'provider-sign-in': { longest: 1_280 },
  console: { longest: 480 },
  'console-login-0': attempt,
  'console-login-1': attempt,
  'console-login-2': attempt,
} as const satisfies Readonly<Record<string, Bound>>;

export type AttemptName = (typeof attemptNames)[number];
export type CookieName = keyof typeof cookieBounds;

interface Lifetime {
  readonly sameSite: 'strict' | 'lax';
  /** Undefined: until the browser is closed. */
  readonly milliseconds?: number;
}

/** HttpOnly cookies; over https their `__Host-` prefix binds them to this host (RFC 6265bis §4.1.3.2). */
export interface Cookies {
  read(req: Pick<Request, 'get'>, name: CookieName): string | undefined;
  write(res: Response, name: CookieName, value: string, lifetime: Lifetime): void;
  clear(res: Response, name: CookieName): void;
}

/** The length of the `Cookie` header with every cookie at its longest. */
export const longestCookieHeader = (): number =>
  Object.entries<Bound>(cookieBounds)
    .map(([name, { longest }]) => `${prefix}${name}=`.length + longest)
    .reduce((sum, length) => sum + length + '; '.length, 0);

export function createCookies(baseUrl: string): Cookies {
  const secure = baseUrl.startsWith('https:');
  const full = (name: CookieName): string => (secure ? `${prefix}${name}` : name);
  const attributes = { httpOnly: true, secure, path: '/' } as const;
  return {
    read(req, name) {
      const start = `${full(name)}=`;
      const found = (req.get('cookie') ?? '').split(/; */).find((one) => one.startsWith(start));
      return found?.slice(start.length);
    },
    write(res, name, value, { sameSite, milliseconds }) {
      if (value.length > cookieBounds[name].longest) throw new Error(`The value of the cookie ${name} is too long`);
      res.cookie(full(name), value, {
        ...attributes,
        sameSite,
        ...(milliseconds !== undefined && { maxAge: milliseconds }),
      });
    },
    clear(res, name) {
      res.cookie(full(name), '', { ...attributes, maxAge: 0 });
    },
  };
}

/** Whether an answer with these headers sets a cookie. */
export const setsCookies = (headers: IncomingHttpHeaders): boolean => headers['set-cookie'] !== undefined;
