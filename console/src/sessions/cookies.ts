import type { Request, Response } from 'express';

interface Lifetime {
  readonly sameSite: 'strict' | 'lax';
  readonly milliseconds: number;
}

/** HttpOnly cookies; over https their `__Host-` prefix binds them to this host (RFC 6265bis §4.1.3.2). */
export interface Cookies {
  read(req: Request, name: string): string | undefined;
  write(res: Response, name: string, value: string, lifetime: Lifetime): void;
  clear(res: Response, name: string): void;
}

export function createCookies(baseUrl: string): Cookies {
  const secure = baseUrl.startsWith('https:');
  const full = (name: string): string => (secure ? `__Host-${name}` : name);
  const attributes = { httpOnly: true, secure, path: '/' } as const;
  return {
    read(req, name) {
      const start = `${full(name)}=`;
      const found = (req.get('cookie') ?? '').split(/; */).find((one) => one.startsWith(start));
      return found?.slice(start.length);
    },
    write(res, name, value, { sameSite, milliseconds }) {
      res.cookie(full(name), value, { ...attributes, sameSite, maxAge: milliseconds });
    },
    clear(res, name) {
      res.cookie(full(name), '', { ...attributes, maxAge: 0 });
    },
  };
}
