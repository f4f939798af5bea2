import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { checkForm } from '../sessions/form-token';
import { longestNext } from '../sessions/own-path';
import { sendPage } from '../sessions/page';
import type { SessionService } from '../sessions/session.service';
import { requireSignIn, signedInOf, visitorOf } from '../sessions/visitor';
import type { Added, FactorService } from './factor.service';
import {
  authenticatorTemplate,
  factorsAddress,
  factorsTemplate,
  newPasskeyTemplate,
  presentPasskey,
} from './factors.page';
import { passkeyScript, passkeyScriptPath } from './passkey-script';
import type { PasskeyService } from './passkey.service';
import { toQrCode } from './qr-code';

interface Dependencies {
  readonly factors: FactorService;
  readonly passkeys: PasskeyService;
  readonly sessions: Pick<SessionService, 'prove' | 'proveFirstFactor'>;
  readonly requireFresh: RequestHandler;
}

const formSchema = z.object({
  next: z.string().max(longestNext).default(''),
  offer: z.string().max(1_024).default(''),
  code: z.string().max(40).default(''),
  name: z.string().trim().max(60).default(''),
  passkey: z.string().max(16_384).default(''),
});

interface Extras {
  readonly next?: string;
  readonly notice?: string;
  /** New recovery codes, to be shown once. */
  readonly shown?: readonly string[] | undefined;
  readonly status?: number;
}

const path = factorsAddress.replace('/oauth', '');

/** `/oauth/profile/sign-in`: the second factors of the person. */
export function createFactorRoutes({ factors, passkeys, sessions, requireFresh }: Dependencies): Router {
  async function show(req: Request, res: Response, { next = '', status = 200, ...extras }: Extras) {
    const { person, account } = signedInOf(req);
    const { totp, passkeys: all, recoveryCodes } = await factors.find(person.accountId, person.id);
    const hasFactor = totp !== undefined || all.length > 0;
    const data = {
      totp,
      passkeys: all.map(presentPasskey),
      recoveryCodes,
      hasFactor,
      mustAdd: account.secondFactorRequired && !hasFactor,
      next,
      // The sign-in page checks the target, and leads to the profile instead of a forbidden one.
      goOn: next === '' ? undefined : `/oauth/sign-in?next=${encodeURIComponent(next)}`,
      ...extras,
    };
    sendPage(res, status, { title: 'Sign-in methods', template: factorsTemplate, data }, visitorOf(req));
  }

  /** After a factor was added: goes on to the target, unless recovery codes have to be shown first. */
  async function showAdded(req: Request, res: Response, added: Extract<Added, { kind: 'added' }>, next: string) {
    const { recoveryCodes: shown, isFirst } = added;
    if (isFirst) await sessions.proveFirstFactor(signedInOf(req));
    else await sessions.prove(signedInOf(req));
    if (next !== '' && !shown) res.redirect(303, `/oauth/sign-in?next=${encodeURIComponent(next)}`);
    else
      await show(req, res, {
        status: 201,
        next,
        shown,
        notice: 'The second factor is set up. You need it from your next sign-in.',
      });
  }

  function showAuthenticator(req: Request, res: Response, next: string, problem?: string) {
    const { person } = signedInOf(req);
    const offer = factors.offerTotp(person.accountId, person);
    const data = { ...offer, qr: toQrCode(offer.uri, 'QR code with the key'), problem, next, back: backTo(next) };
    const page = { title: 'Set up an authenticator app', template: authenticatorTemplate, data };
    sendPage(res, problem === undefined ? 200 : 422, page, visitorOf(req));
  }

  async function showNewPasskey(
    req: Request,
    res: Response,
    { next, name }: { next: string; name: string },
    problem?: string,
  ) {
    const { person } = signedInOf(req);
    const passkeyOptions = await passkeys.offer(person.accountId, person, cookieOf(req));
    const data = { passkeyOptions, name, problem, next, back: backTo(next) };
    const page = { title: 'Add a passkey', template: newPasskeyTemplate, data, runsScript: true };
    sendPage(res, problem === undefined ? 200 : 422, page, visitorOf(req));
  }

  const router = express.Router();
  router.get(passkeyScriptPath.replace('/oauth', ''), (_req, res) => {
    res.set('Cache-Control', 'public, max-age=31536000, immutable').type('js').send(passkeyScript);
  });
  router.use(path, requireSignIn(factorsAddress));
  router
    .route(path)
    .get((req, res) => show(req, res, { next: textIn(req.query['next']), ...noticeOf(req) }))
    .all(methodNotAllowed('GET'));
  const change = (address: string, act: (req: Request, res: Response) => unknown) =>
    router
      .route(`${path}${address}`)
      .post(checkForm, requireFresh, async (req, res) => void (await act(req, res)))
      .all(methodNotAllowed('POST'));
  change('/authenticator/new', (req, res) => showAuthenticator(req, res, formOf(req).next));
  change('/authenticator', async (req, res) => {
    const { person } = signedInOf(req);
    const { offer, code, next } = formOf(req);
    const added = await factors.confirmTotp(person.accountId, person, offer, code);
    if (added.kind === 'added') await showAdded(req, res, added, next);
    else showAuthenticator(req, res, next, added.problem);
  });
  change('/authenticator/remove', async (req, res) => {
    const { person } = signedInOf(req);
    await factors.removeTotp(person.accountId, person);
    res.redirect(303, `${factorsAddress}?done=removed`);
  });
  change('/passkeys/new', (req, res) => showNewPasskey(req, res, { ...formOf(req), name: '' }));
  change('/passkeys', async (req, res) => {
    const { person } = signedInOf(req);
    const { name, passkey: answer, next } = formOf(req);
    if (name === '') return showNewPasskey(req, res, { next, name }, 'Give the passkey a name.');
    const given = { cookie: cookieOf(req), name, answer };
    const added = await passkeys.register(person.accountId, person, given);
    if (added.kind === 'added') return showAdded(req, res, added, next);
    return showNewPasskey(req, res, { next, name }, added.problem);
  });
  change('/passkeys/:id/remove', async (req, res) => {
    const { person } = signedInOf(req);
    await passkeys.remove(person.accountId, person, String(req.params['id']));
    res.redirect(303, `${factorsAddress}?done=removed`);
  });
  change('/recovery-codes', async (req, res) => {
    const { person } = signedInOf(req);
    if (!(await factors.has(person.accountId, person.id))) return res.redirect(303, factorsAddress);
    return show(req, res, { status: 201, shown: await factors.renewRecoveryCodes(person.accountId, person) });
  });
  return router;
}

function formOf(req: Request): z.output<typeof formSchema> {
  const result = formSchema.safeParse(req.body);
  if (!result.success) throw badRequest('The form is incomplete.');
  return result.data;
}

const textIn = (given: unknown): string => (typeof given === 'string' ? given.slice(0, 512) : '');

const cookieOf = (req: Request): string => visitorOf(req).cookie ?? '';

const backTo = (next: string): string =>
  next === '' ? factorsAddress : `${factorsAddress}?next=${encodeURIComponent(next)}`;

const noticeOf = (req: Request): Extras =>
  req.query['done'] === 'removed' ? { notice: 'The second factor is removed.' } : {};
