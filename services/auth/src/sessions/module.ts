import { createCookies } from '@itsm/shared/api/http/cookies';
import type { Cookies } from '@itsm/shared/api/http/cookies';
import type { Module, Platform } from '@itsm/shared/running/module';
import type { Express, RequestHandler, Router } from 'express';
import type { Directory } from '../directory/module';
import type { Security } from '../security/module';
import { createPageRoutes } from './page.routes';
import { assignOrigin, presentOrigin } from './request-origin';
import { createSessionCookie } from './session-cookie';
import type { SessionCookie } from './session-cookie';
import { createSessionRepository } from './session.repository';
import { createSessionRoutes } from './session.routes';
import { createSessionService } from './session.service';
import type { SessionService } from './session.service';
import { identifyVisitor } from './visitor';

export { presentOrigin } from './request-origin';

export function prepareHttp(http: Express): void {
  // Exactly one trusted proxy: the gateway, which sets the client's address.
  http.set('trust proxy', 1);
  http.use(assignOrigin);
}

interface Needs {
  readonly security: Security;
  readonly directory: Directory;
}

export interface Sessions {
  readonly service: SessionService;
  readonly cookies: Cookies;
  readonly cookie: SessionCookie;
  /** Mounts all pages. `early` runs before the visitor is identified, which is done once, and `first` after it. */
  pages(
    early: RequestHandler,
    first: RequestHandler,
    modules: readonly { readonly pages: readonly Router[] }[],
  ): Module;
}

export function createSessions(
  { connection, logger, now, baseUrl }: Platform,
  { security, directory }: Needs,
): Sessions {
  const { accounts, people } = directory;
  const { announce, audit } = security;
  const sessions = createSessionRepository(connection);
  const service = createSessionService({ sessions, people, accounts, announce, audit, presentOrigin, now });
  const cookies = createCookies(baseUrl);
  const cookie = createSessionCookie(cookies);
  const identify = identifyVisitor(service, cookie);
  return {
    service,
    cookies,
    cookie,
    pages: (early, first, modules) => ({
      routes: [
        {
          path: '/oauth',
          access: 'public',
          router: createPageRoutes(
            early,
            identify,
            [first, ...modules.flatMap(({ pages }) => pages), createSessionRoutes()],
            logger,
          ),
        },
      ],
    }),
  };
}
