import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Cookies } from '@itsm/shared/api/http/cookies';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createCarried } from './carried';
import type { Started } from './provider-sign-in.service';

/** The state of a sign-in while the person is at the provider, with the page to go to afterwards. */
export interface Begun extends Started {
  readonly next: string;
}

export interface ProviderCookie {
  /** Sets the cookie, for ten minutes, and returns the `state` for the provider. */
  keep(res: Response, begun: Begun): string;
  /** The sign-in that this browser started with this `state`; undefined when it is too old, or was started in another browser. */
  read(req: Request, state: string): Begun | undefined;
  clear(res: Response): void;
}

const lasts = 600_000;
const name = 'provider-sign-in';

/** The longest page that the cookie keeps. That of a long authorization request is in `state`, sealed, since any page elsewhere can cause the cookie. */
const longestKept = 512;

export function createProviderCookie(cookies: Cookies, sealer: Sealer, now: Clock): ProviderCookie {
  const kept = createCarried<Omit<Begun, 'next'> & { readonly state: string; readonly next?: string }>(sealer, now, {
    context: 'sign-in with a provider',
    milliseconds: lasts,
  });
  const pages = createCarried<{ readonly next: string }>(sealer, now, {
    context: 'page after a sign-in with a provider',
    milliseconds: lasts,
  });
  return {
    keep(res, { next, ...begun }) {
      const isKept = next.length <= longestKept;
      const state = isKept ? random() : `${random()}.${pages.pack({ next })}`;
      const value = kept.pack({ ...begun, state: digestOf(state), ...(isKept && { next }) });
      cookies.write(res, name, value, { sameSite: 'lax', milliseconds: lasts });
      return state;
    },
    read(req, state) {
      const found = kept.unpack(cookies.read(req, name) ?? '');
      if (!found || !isSame(digestOf(state), found.state)) return undefined;
      const { state: _state, next = pages.unpack(state.slice(state.indexOf('.') + 1))?.next, ...begun } = found;
      return next === undefined ? undefined : { ...begun, next };
    },
    clear: (res) => cookies.clear(res, name),
  };
}

const random = (): string => randomBytes(32).toString('base64url');

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
