import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { inWords } from '../factors/factor-forms.page';
import type { Checked } from '../factors/factor.service';
import type { FactorsModule } from '../factors/module';
import type { Waiting } from '../factors/pending-sign-ins';
import { checkForm } from '../sessions/form-token';
import { sendPage } from '../sessions/page';
import type { SessionCookie } from '../sessions/session-cookie';
import { visitorOf } from '../sessions/visitor';
import type { KnownBrowser } from './known-browser';
import { secondStepTemplate } from './second-step.page';
import type { SignInService } from './sign-in.service';
import { waitingIdOf } from './waiting-requests';

interface Dependencies {
  readonly signIn: Pick<SignInService, 'complete'>;
  readonly factors: Pick<FactorsModule, 'factors' | 'passkeys' | 'pending'>;
  readonly cookie: SessionCookie;
  readonly knownBrowser: KnownBrowser;
}

interface Given {
  readonly code: string;
  readonly passkey: string;
}

/** `GET/POST /oauth/sign-in/second-step`: the second factor, after the password or the identity provider. */
export function createSecondStepRoutes({ signIn, factors: all, cookie, knownBrowser }: Dependencies): Router {
  const { factors, passkeys, pending } = all;

  const ceremonyOf = ({ person }: Waiting, id: string) => {
    const owner = { accountId: person.accountId, personId: person.id };
    return { purpose: 'second step', cookie: id, owner, verifiesPerson: false } as const;
  };

  async function show(res: Response, id: string, waiting: Waiting, checked?: Checked) {
    const { person, next } = waiting;
    const known = await factors.find(person.accountId, person.id);
    const hasPasskeys = known.passkeys.length > 0;
    const data = {
      email: person.primaryEmail,
      shown: waiting.shown,
      problem: checked && problemOf(checked),
      passkeyOptions: hasPasskeys ? await passkeys.ask(ceremonyOf(waiting, id)) : undefined,
    };
    if (checked?.kind === 'throttled') res.set('Retry-After', String(checked.seconds));
    const status = checked ? (checked.kind === 'throttled' ? 429 : 401) : 200;
    const template = secondStepTemplate;
    const leadsAway = waitingIdOf(next) !== undefined;
    const page = { title: 'Two-step sign-in', template, data, leadsAway, runsScript: hasPasskeys };
    sendPage(res, status, page, { cookie: id, signedIn: undefined });
  }

  async function check(req: Request, id: string, waiting: Waiting, { code, passkey }: Given): Promise<Checked> {
    const { person } = waiting;
    if (passkey === '') return factors.checkCode(person.accountId, person, code, knownBrowser.read(req)(person) ?? '');
    const isRight = await passkeys.check(ceremonyOf(waiting, id), passkey);
    return isRight ? { kind: 'right', provedFactor: true } : { kind: 'wrong' };
  }

  const router = express.Router();
  router
    .route('/sign-in/second-step')
    .get(async (req, res) => {
      const { cookie: id = '' } = visitorOf(req);
      const waiting = await pending.find(id);
      if (waiting) await show(res, id, waiting);
      else res.redirect(303, '/oauth/sign-in');
    })
    .post(checkForm, async (req, res) => {
      const { cookie: id = '' } = visitorOf(req);
      const waiting = await pending.find(id);
      if (!waiting) return res.redirect(303, '/oauth/sign-in');
      const given = givenIn(req);
      const checked = await check(req, id, waiting, given);
      if (checked.kind !== 'right') return show(res, id, waiting, checked);
      const taken = await pending.take(id);
      if (!taken) return res.redirect(303, '/oauth/sign-in');
      const { person, atProvider, next } = taken;
      const shown = `${taken.shown} and ${given.passkey === '' ? 'code' : 'passkey'}`;
      const { sessionId } = await signIn.complete(person, id, { shown, atProvider, provedFactor: true });
      cookie.write(res, sessionId);
      knownBrowser.write(res, person);
      return res.redirect(303, next);
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

function givenIn({ body }: Request): Given {
  const { code, passkey } = body as { code?: unknown; passkey?: unknown };
  const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 8_192) : '');
  return { code: textOf(code), passkey: textOf(passkey) };
}

function problemOf(checked: Checked): string {
  if (checked.kind === 'throttled') return `Too many attempts. Please try again in ${inWords(checked.seconds)}.`;
  return 'The code is wrong or was used before. Please try again.';
}
