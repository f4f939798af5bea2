import type { Router } from 'express';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Sessions } from '../sessions/module';
import type { Upstream } from '../upstream/module';
import { createAttemptCookies } from './attempt-cookie';
import { createClient } from './client';
import { createSignInRoutes } from './sign-in.routes';

/** The console's client id at auth. */
const clientId = 'console';

interface Needs {
  readonly upstream: Upstream;
  readonly sessions: Pick<Sessions, 'cookies' | 'cookie'>;
  readonly sealer: Sealer;
  readonly settings: { readonly baseUrl: string; readonly consoleClientSecret: string };
  readonly logger: Logger;
  readonly now: Clock;
}

export interface SignIns {
  readonly router: Router;
}

export function createSignIns({ upstream, sessions, sealer, settings, logger, now }: Needs): SignIns {
  const { baseUrl } = settings;
  const [clientSecret = ''] = settings.consoleClientSecret.split(',');
  const redirectUri = `${baseUrl}/console/callback`;
  const attempts = createAttemptCookies(sessions.cookies, sealer, now);
  const client = createClient({ upstream, clientId, clientSecret, redirectUri, now });
  const { cookie } = sessions;
  return { router: createSignInRoutes({ client, attempts, cookie, clientId, redirectUri, issuer: baseUrl, logger }) };
}
