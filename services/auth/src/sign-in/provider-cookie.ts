import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createCarried } from './carried';
import type { Started } from './provider-sign-in.service';

/** What a browser keeps while its person is at the provider of their account, and where it goes on to. */
export interface Kept extends Started {
  readonly next: string;
}

export interface ProviderCookie {
  /** For ten minutes. */
  keep(res: Response, kept: Kept): void;
  read(req: Request): Kept | undefined;
  clear(req: Request, res: Response): void;
}

const seconds = 600;
const how = { context: 'sign-in with a provider', milliseconds: seconds * 1_000 };

/** Browsers keep cookies of 4,096 bytes, with name and attributes. */
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
      // The first says how many there are: others may be left of a sign-in before.
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
