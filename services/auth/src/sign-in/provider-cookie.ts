import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createCarried } from './carried';
import type { Started } from './provider-sign-in.service';

/** The state of a sign-in while the person is at the provider, with the page to go to afterwards. */
export interface Kept extends Started {
  readonly next: string;
}

export interface ProviderCookie {
  /** Sets the cookie, for ten minutes. */
  keep(res: Response, kept: Kept): void;
  read(req: Request): Kept | undefined;
  clear(req: Request, res: Response): void;
}

const seconds = 600;
const how = { context: 'sign-in with a provider', milliseconds: seconds * 1_000 };

/** Longest part of the value: browsers limit a cookie to 4,096 bytes, with name and attributes. */
const longestPart = 3_800;
const mostParts = 5;

export function createProviderCookie(baseUrl: string, sealer: Sealer, now: Clock): ProviderCookie {
  const carried = createCarried<Kept>(sealer, now, how);
  const secure = baseUrl.startsWith('https:');
  const name = secure ? '__Host-provider-sign-in' : 'provider-sign-in';
  const nameOf = (index: number): string => (index === 0 ? name : `${name}-${index}`);
  const attributes = { httpOnly: true, secure, sameSite: 'lax', path: '/' } as const;
  return {
    keep(res, kept) {
      const parts = carried.pack(kept).match(new RegExp(`.{1,${longestPart}}`, 'g')) ?? [];
      // The first part has the number of parts, because cookies of an earlier sign-in may be left over.
      const values = parts.map((part, index) => (index === 0 ? `${parts.length}~${part}` : part));
      for (const [index, value] of values.entries())
        res.append('Set-Cookie', stringifySetCookie(nameOf(index), value, { ...attributes, maxAge: seconds }));
    },
    read(req) {
      const cookies = parseCookie(req.get('cookie') ?? '');
      const [, count = '', first = ''] = /^([1-5])~(.+)$/.exec(cookies[name] ?? '') ?? [];
      const others = Array.from({ length: Number(count || 1) - 1 }, (_, index) => cookies[nameOf(index + 1)] ?? '');
      return carried.unpack([first, ...others].join(''));
    },
    clear(req, res) {
      const cookies = parseCookie(req.get('cookie') ?? '');
      for (let index = 0; index < mostParts; index += 1) {
        if (cookies[nameOf(index)] !== undefined)
          res.append('Set-Cookie', stringifySetCookie(nameOf(index), '', { ...attributes, maxAge: 0 }));
      }
    },
  };
}
