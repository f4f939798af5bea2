import { knownBrowserCookie } from '@itsm/shared/api/http/network-refusal';
import type { Cookies } from '@itsm/shared/api/http/cookies';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Request, Response } from 'express';
import type { Person } from '../directory/person';

/** The cookie that shows in which browsers a person has signed in before. It is no credential. */
export interface KnownBrowser {
  /** Returns a name for the browser if this person has signed in with it before. People with the same address do not share it. */
  read(req: Request): (person: Pick<Person, 'id'>) => string | undefined;
  /** The name of the browser if any person has signed in with it. */
  nameOf(req: Request): string | undefined;
  write(res: Response, person: Pick<Person, 'id'>): void;
}

const lasts = 180 * 86_400_000;
const context = 'known browser';
const contentOf = ({ id }: Pick<Person, 'id'>): string => digestOf(`person ${id}`);

export function createKnownBrowser(cookies: Cookies, sealer: Sealer): KnownBrowser {
  /** Undefined for a forged cookie, or one sealed with a retired key. */
  function contentIn(sealed: string): string | undefined {
    try {
      return sealer.open(sealed, context);
    } catch {
      return undefined;
    }
  }

  return {
    read(req) {
      const sealed = cookies.read(req, knownBrowserCookie);
      if (sealed === undefined) return () => undefined;
      const [content, browser] = [contentIn(sealed), digestOf(sealed)];
      return (person) => (content === contentOf(person) ? browser : undefined);
    },
    nameOf(req) {
      const sealed = cookies.read(req, knownBrowserCookie);
      return sealed !== undefined && contentIn(sealed) !== undefined ? digestOf(sealed) : undefined;
    },
    write(res, person) {
      const sealed = sealer.seal(contentOf(person), context);
      cookies.write(res, knownBrowserCookie, sealed, { sameSite: 'lax', milliseconds: lasts });
    },
  };
}
