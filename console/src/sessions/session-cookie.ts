import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Cookies } from '@itsm/shared/api/http/cookies';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';

const sessionSchema = z.object({
  /** The access token, which the browser never sees. */
  token: z.string(),
  /** The person's id. */
  person: z.string(),
  /** The person's home account. */
  account: z.string(),
  /** Expiry in epoch milliseconds. */
  exp: z.number(),
});

/** All that the server knows about a browser; it comes with each request. */
export type Session = Readonly<z.infer<typeof sessionSchema>>;

export interface SessionCookie {
  /** Undefined without a valid cookie that has not expired. */
  read(req: Request): Session | undefined;
  write(res: Response, session: Session): void;
  clear(res: Response): void;
}

const name = 'console';
const context = 'console session';

/** The session in a sealed cookie with SameSite=Strict, so that browsers do not send it from other sites. */
export function createSessionCookie(cookies: Cookies, sealer: Sealer, now: Clock): SessionCookie {
  return {
    read(req) {
      const session = openSealed(sealer, cookies.read(req, name), context, sessionSchema);
      return session && session.exp > now().getTime() ? session : undefined;
    },
    write(res, session) {
      const milliseconds = session.exp - now().getTime();
      cookies.write(res, name, sealer.seal(JSON.stringify(session), context), { sameSite: 'strict', milliseconds });
    },
    clear: (res) => cookies.clear(res, name),
  };
}

/** Opens a text that was sealed in `context`; undefined for anything else. */
export function openSealed<S extends z.ZodType>(
  sealer: Sealer,
  sealed: string | undefined,
  context: string,
  schema: S,
): z.output<S> | undefined {
  if (sealed === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(sealer.open(sealed, context)));
  } catch {
    return undefined;
  }
}
