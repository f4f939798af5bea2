import { randomInt } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { attemptNames } from '@itsm/shared/api/http/cookies';
import type { AttemptName, Cookies } from '@itsm/shared/api/http/cookies';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { openSealed } from '../sessions/session-cookie';
import type { Session } from '../sessions/session-cookie';

const attemptSchema = z.object({
  state: z.string(),
  /** The PKCE verifier (RFC 7636): the code is worthless without it. */
  verifier: z.string(),
  /** Where the browser is redirected afterwards. */
  next: z.string(),
  /** Whether it is a silent renewal by a page. */
  quiet: z.boolean(),
  /** Expiry in epoch milliseconds. */
  exp: z.number(),
});

/** A sign-in that was started in this browser. */
export type Attempt = Readonly<z.infer<typeof attemptSchema>>;

const renewalSchema = z.object({
  verifier: z.string(),
  /** Whose session is renewed. */
  person: z.string(),
  exp: z.number(),
});

export interface AttemptCookies {
  /** Overwrites the oldest attempt when there are as many as there may be. */
  write(req: Request, res: Response, attempt: Omit<Attempt, 'exp'>): void;
  /** The attempt with this `state`; undefined when another browser started it, or it has expired. */
  read(req: Request, state: string): Attempt | undefined;
  clear(req: Request, res: Response, state: string): void;
  /**
   * The `state` of a silent renewal beside a session. It is the attempt itself, sealed, and needs no cookie: all pages of
   * a browser may renew at once. It is worthless in the browser of another person.
   */
  stateOfRenewal(session: Session, verifier: string): string;
  readRenewal(session: Session | undefined, state: string): Attempt | undefined;
}

const lasts = 10 * 60_000;
const context = 'console sign-in';
const renewalContext = 'console renewal';

/**
 * One cookie per attempt, since several pages may sign in at once, but only a few of them: any page elsewhere can start
 * sign-ins, at the same moment too, so the names are fixed. SameSite=Lax, because auth may redirect from another site.
 */
export function createAttemptCookies(cookies: Cookies, sealer: Sealer, now: Clock): AttemptCookies {
  const all = (req: Request): (readonly [AttemptName, Attempt | undefined])[] =>
    attemptNames.map((name) => {
      const attempt = openSealed(sealer, cookies.read(req, name), context, attemptSchema);
      return [name, attempt && attempt.exp > now().getTime() ? attempt : undefined];
    });
  return {
    write(req, res, given) {
      const attempt = { ...given, exp: now().getTime() + lasts };
      const sealed = sealer.seal(JSON.stringify(attempt), context);
      cookies.write(res, placeIn(all(req)), sealed, { sameSite: 'lax', milliseconds: lasts });
    },
    read: (req, state) => all(req).find(([, attempt]) => attempt?.state === state)?.[1],
    clear(req, res, state) {
      for (const [name, attempt] of all(req)) if (attempt?.state === state) cookies.clear(res, name);
    },
    stateOfRenewal: ({ person }, verifier) =>
      sealer.seal(JSON.stringify({ verifier, person, exp: now().getTime() + lasts }), renewalContext),
    readRenewal(session, state) {
      const renewal = openSealed(sealer, state, renewalContext, renewalSchema);
      if (!renewal || renewal.exp <= now().getTime() || renewal.person !== session?.person) return undefined;
      const { verifier, exp } = renewal;
      return { state, verifier, next: '/', quiet: true, exp };
    },
  };
}

/** A free place, or that of the oldest attempt. Random among the free ones, because pages that start at the same moment see the same. */
function placeIn(all: readonly (readonly [AttemptName, Attempt | undefined])[]): AttemptName {
  const free = all.filter(([, attempt]) => !attempt);
  const [oldest] = [...all].sort(([, one], [, other]) => (one?.exp ?? 0) - (other?.exp ?? 0));
  const [name] = free[randomInt(Math.max(1, free.length))] ?? oldest ?? attemptNames;
  return name;
}
