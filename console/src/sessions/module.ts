import type { Request, RequestHandler, Router } from 'express';
import { createCookies } from '@itsm/shared/api/http/cookies';
import type { Cookies } from '@itsm/shared/api/http/cookies';
import { logRequests } from '@itsm/shared/api/http/request-log';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Assets } from '../assets/module';
import type { Upstream } from '../upstream/module';
import { createCallsInFlight } from './calls-in-flight';
import type { CallsInFlight } from './calls-in-flight';
import { accountShown } from './own-page';
import { createSessionCookie } from './session-cookie';
import type { SessionCookie } from './session-cookie';
import { createSessionRoutes } from './session.routes';

interface Needs {
  readonly assets: Pick<Assets, 'build'>;
  readonly upstream: Upstream;
  readonly sealer: Sealer;
  /** The public origin. */
  readonly baseUrl: string;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface Sessions {
  readonly router: Router;
  readonly cookies: Cookies;
  readonly cookie: SessionCookie;
  readonly calls: CallsInFlight;
  /** Logs one line per call when it ends. */
  readonly log: RequestHandler;
}

export function createSessions({ assets, upstream, sealer, baseUrl, logger, now }: Needs): Sessions {
  const cookies = createCookies(baseUrl);
  const cookie = createSessionCookie(cookies, sealer, now);
  const calls = createCallsInFlight();
  return {
    router: createSessionRoutes({ upstream, cookie, calls, build: assets.build }),
    cookies,
    cookie,
    calls,
    log: logRequests(logger, now, 'call', { more: (req: Request) => ({ account: accountShown(req) }) }),
  };
}
