import { Router } from 'express';
import { z } from 'zod';
import { writeTime } from '@itsm/shared/base/time/time-text';
import { AppError, unauthorized } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { jsonIn } from '../upstream/module';
import type { Upstream } from '../upstream/module';
import type { CallsInFlight } from './calls-in-flight';
import { accountShown, requireOwnPage } from './own-page';
import type { SessionCookie } from './session-cookie';

interface Dependencies {
  readonly upstream: Upstream;
  readonly cookie: SessionCookie;
  readonly calls: CallsInFlight;
  readonly build: string;
}

/** One call with everything that a page needs at its start. */
const query = /* GraphQL */ `
  query Session {
    me {
      id
      name
      primaryEmail
      locale
      timeZone
      roles
      memberships {
        account {
          accountID
          name
          disabled
        }
      }
    }
    account {
      accountID
      name
      customUrl
    }
  }
`;

const account = z.object({ accountID: z.string(), name: z.string() });
const answerSchema = z.object({
  data: z.object({
    me: z.object({
      id: z.string(),
      name: z.string(),
      primaryEmail: z.string(),
      locale: z.string(),
      timeZone: z.string(),
      roles: z.array(z.string()),
      memberships: z.array(z.object({ account: account.extend({ disabled: z.boolean() }) })),
    }),
    account: account.extend({ customUrl: z.string().nullable() }),
  }),
});

/** `GET /console/session`: the signed-in person in the shown account, or their own. */
export function createSessionRoutes({ upstream, cookie, calls, build }: Dependencies): Router {
  const router = Router();
  router
    .route('/console/session')
    .all(requireOwnPage)
    .get(async (req, res) => {
      res.set('Cache-Control', 'no-store').set('X-Console-Build', build);
      const session = cookie.read(req);
      if (!session) throw unauthorized();
      calls.begin(session, res);
      const answer = await upstream.send(req, {
        method: 'POST',
        path: '/graphql',
        accountId: session.account,
        headers: {
          authorization: `Bearer ${session.token}`,
          'x-service-account': accountShown(req) ?? session.account,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query }),
      });
      const { statusCode, headers } = answer;
      const body = await jsonIn(answer);
      if (statusCode === 401) throw unauthorized();
      if (statusCode === 403) {
        res.status(403).json({ message: 'Forbidden', code: 'wrong_account' });
        return;
      }
      const found = answerSchema.safeParse(body);
      if (!found.success) throw refusalOf(statusCode, headers['retry-after']);
      const { me, account: shown } = found.data.data;
      const { roles, memberships, ...person } = me;
      const accounts = memberships.map((one) => one.account);
      const expiresAt = writeTime(new Date(session.exp));
      res.json({ person, account: shown, roles, accounts, expiresAt, build });
    })
    .all(methodNotAllowed('GET'));
  return router;
}

/** A rate limit stays a 429; every other failure is temporary, a 503. */
function refusalOf(status: number, retryAfter: string | string[] | undefined): AppError {
  const headers = retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } };
  return status === 429
    ? new AppError('too_many_requests', 'Too Many Requests', headers)
    : new AppError('service_unavailable', 'Service Unavailable', headers);
}
