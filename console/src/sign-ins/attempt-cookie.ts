import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Cookies } from '../sessions/cookies';
import { openSealed } from '../sessions/session-cookie';

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

export interface AttemptCookies {
  write(res: Response, attempt: Omit<Attempt, 'exp'>): void;
  /** The attempt with this `state`; undefined when another browser started it, or it has expired. */
  read(req: Request, state: string): Attempt | undefined;
  clear(res: Response, state: string): void;
}

const lasts = 10 * 60_000;
const context = 'console sign-in';

/**
 * One cookie per attempt, since several pages may renew at once. SameSite=Lax, because auth may redirect from another
 * site.
 */
export function createAttemptCookies(cookies: Cookies, sealer: Sealer, now: Clock): AttemptCookies {
  const nameFor = (state: string): string => `console-login-${state.slice(0, 8)}`;
  return {
    write(res, given) {
      const attempt = { ...given, exp: now().getTime() + lasts };
      const sealed = sealer.seal(JSON.stringify(attempt), context);
      cookies.write(res, nameFor(attempt.state), sealed, { sameSite: 'lax', milliseconds: lasts });
    },
    read(req, state) {
      const attempt = openSealed(sealer, cookies.read(req, nameFor(state)), context, attemptSchema);
      return attempt?.state === state && attempt.exp > now().getTime() ? attempt : undefined;
    },
    clear: (res, state) => cookies.clear(res, nameFor(state)),
  };
}
