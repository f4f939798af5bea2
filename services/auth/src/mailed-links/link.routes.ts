import { AppError, badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { formCookieOf } from '../sessions/form-cookie';
import { checkForm } from '../sessions/form-token';
import { sendPage } from '../sessions/page';
import type { SessionCookie } from '../sessions/session-cookie';
import { visitorOf } from '../sessions/visitor';
import { choosePasswordTemplate, outcomeTemplate, verifyAddressTemplate } from './link.page';
import type { MailedLinkService } from './mailed-link.service';

interface Dependencies {
  readonly links: MailedLinkService;
  readonly cookie: SessionCookie;
}

const text = z.string().max(1024);
const passwordForm = z.object({ token: text, password: text, again: text });
const addressForm = z.object({ token: text });

/**
 * The pages that mailed links lead to. Mail scanners follow links as well, so only the form of a page changes something.
 */
export function createLinkRoutes({ links, cookie }: Dependencies): Router {
  async function showPasswordForm(req: Request, res: Response, token: string, problem?: string) {
    const opened = await links.open(token, 'password');
    if (!opened) return showVoid(req, res);
    const { person, account } = opened;
    const data = { token, problem, email: person.primaryEmail, accountName: account.name };
    const page = { title: 'Choose a password', template: choosePasswordTemplate, data };
    return sendPage(res, problem === undefined ? 200 : 422, page, anonymous(req, res));
  }

  async function showAddressForm(req: Request, res: Response, token: string) {
    const opened = await links.open(token, 'address');
    if (!opened) return showVoid(req, res);
    const { link, person, account } = opened;
    const data = { token, email: link.address, name: person.name, accountName: account.name };
    const page = { title: 'Verify your e-mail address', template: verifyAddressTemplate, data };
    return sendPage(res, 200, page, anonymous(req, res));
  }

  /** The person of a link need not be the person who is signed in. */
  const anonymous = (req: Request, res: Response) => ({
    cookie: formCookieOf(req, res, cookie),
    signedIn: undefined,
  });

  const router = express.Router();
  router
    .route('/choose-password')
    .get((req, res) => showPasswordForm(req, res, tokenIn(req.query['token'])))
    .post(checkForm, async (req, res) => {
      const { token, password, again } = parseForm(passwordForm, req.body);
      if (password !== again) return showPasswordForm(req, res, token, 'The two passwords are different');
      const outcome = await refusalOr(links.choosePassword(token, password));
      if (typeof outcome === 'string') return showPasswordForm(req, res, token, outcome);
      return outcome ? showOutcome(req, res, 200, passwordSet) : showVoid(req, res);
    })
    .all(methodNotAllowed('GET', 'POST'));
  router
    .route('/verify-address')
    .get((req, res) => showAddressForm(req, res, tokenIn(req.query['token'])))
    .post(checkForm, async (req, res) => {
      const { token } = parseForm(addressForm, req.body);
      return (await links.verifyAddress(token)) ? showOutcome(req, res, 200, addressVerified) : showVoid(req, res);
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

const tokenIn = (given: unknown): string => (typeof given === 'string' ? given : '');

function parseForm<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (!result.success) throw badRequest('The form is incomplete.');
  return result.data;
}

/** Returns the text of a refused password; other errors are thrown on. */
async function refusalOr<T>(running: Promise<T>): Promise<T | string> {
  try {
    return await running;
  } catch (error) {
    const [refusal] = error instanceof AppError ? (error.details.errors ?? []) : [];
    if (!refusal) throw error;
    return refusal[1];
  }
}

interface Outcome {
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly href: string;
  readonly label: string;
}

const passwordSet: Outcome = {
  title: 'Your password is set',
  heading: 'Your password is set',
  text: 'Sign in with it and your e-mail address. You are signed out everywhere else.',
  href: '/oauth/sign-in',
  label: 'Sign in',
};
const addressVerified: Outcome = {
  title: 'Your address is verified',
  heading: 'Your address is verified',
  text: 'From now on you sign in with it.',
  href: '/oauth/profile',
  label: 'Go to your profile',
};
const linkVoid: Outcome = {
  title: 'This link cannot be used',
  heading: 'This link cannot be used',
  text: 'It was used before, has expired, or your address or password has changed since. Request another one, or ask your administrator.',
  href: '/oauth/forgot-password',
  label: 'Request a new password',
};

const showVoid = (req: Request, res: Response): void => showOutcome(req, res, 404, linkVoid);

function showOutcome(req: Request, res: Response, status: number, { title, ...data }: Outcome): void {
  sendPage(res, status, { title, template: outcomeTemplate, data }, { ...visitorOf(req), signedIn: undefined });
}
