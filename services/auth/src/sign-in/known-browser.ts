import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { emailKeyOf } from '../directory/person';

/** The cookie that shows in which browsers a person has signed in before. It is no credential. */
export interface KnownBrowser {
  /** A name for the browser, where this e-mail address was used to sign in before. */
  read(req: Request, email: string): string | undefined;
  write(res: Response, email: string): void;
}

const days = 180;
const context = 'known browser';
const contentOf = (email: string): string => digestOf(emailKeyOf(email));

export function createKnownBrowser(baseUrl: string, sealer: Sealer): KnownBrowser {
  const secure = baseUrl.startsWith('https:');
  const name = secure ? '__Host-known-browser' : 'known-browser';
  const attributes = { httpOnly: true, secure, sameSite: 'lax', path: '/', maxAge: days * 86_400 } as const;

  function isOf(sealed: string, email: string): boolean {
    try {
      return sealer.open(sealed, context) === contentOf(email);
    } catch {
      // Not made by us, or with a key that is no longer in use.
      return false;
    }
  }

  return {
    read(req, email) {
      const sealed = parseCookie(req.get('cookie') ?? '')[name];
      return sealed !== undefined && isOf(sealed, email) ? digestOf(sealed) : undefined;
    },
    write(res, email) {
      res.append('Set-Cookie', stringifySetCookie(name, sealer.seal(contentOf(email), context), attributes));
    },
  };
}
