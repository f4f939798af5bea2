import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { formCookieOf } from '../sessions/form-cookie';
import { checkForm } from '../sessions/form-token';
import { sendPage } from '../sessions/page';
import type { SessionCookie } from '../sessions/session-cookie';
import { forgotPasswordTemplate, outcomeTemplate } from './link.page';
import type { RequestReset } from './reset-request.service';

interface Dependencies {
  readonly requestReset: RequestReset;
  readonly areSent: boolean;
  readonly cookie: SessionCookie;
}

const form = z.object({ email: z.string().trim().max(254) });

/** `GET/POST /oauth/forgot-password`: the same answer for every address. */
export function createForgotPasswordRoutes({ requestReset, areSent, cookie }: Dependencies): Router {
  const visitor = (req: Request, res: Response) => ({ cookie: formCookieOf(req, res, cookie), signedIn: undefined });

  function show(req: Request, res: Response, { status = 200, email = '', problem }: Shown = {}): void {
    const data = { areSent, email, problem };
    sendPage(
      res,
      status,
      { title: 'Forgot your password?', template: forgotPasswordTemplate, data },
      visitor(req, res),
    );
  }

  const router = express.Router();
  router
    .route('/forgot-password')
    .get((req, res) => show(req, res))
    .post(checkForm, async (req, res) => {
      const given = form.safeParse(req.body);
      if (!given.success) throw badRequest('The form is incomplete.');
      const { email } = given.data;
      const seconds = areSent ? await requestReset(email, req.ip ?? 'unknown') : 0;
      if (!areSent) show(req, res);
      else if (seconds > 0) {
        res.set('Retry-After', String(seconds));
        const minutes = Math.ceil(seconds / 60);
        const problem = `Too many links were requested from your network. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
        show(req, res, { status: 429, email, problem });
      } else {
        const page = { title: 'Check your mails', template: outcomeTemplate, data: sent };
        sendPage(res, 200, page, visitor(req, res));
      }
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

interface Shown {
  readonly status?: number;
  readonly email?: string;
  readonly problem?: string;
}

const sent = {
  heading: 'Check your mails',
  text: 'If somebody signs in with this address and a password, a mail with a link was sent to it. The link works for an hour. If no mail arrives, ask your administrator.',
  href: '/oauth/sign-in',
  label: 'Back to sign-in',
};
