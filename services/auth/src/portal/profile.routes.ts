import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import type { Clock } from '@itsm/shared/base/time/clock';
import express from 'express';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import type { AuthorizationService } from '../tokens/authorization.service';
import { sendPage } from '../sessions/page';
import type { PersonalAccessTokenService } from '../tokens/personal-access-token.service';
import { isAdministrator } from '../directory/person';
import { checkForm } from '../sessions/form-token';
import { requireSignIn, signedInOf, visitorOf } from '../sessions/visitor';
import { models, toScopes, verbs } from '../clients/scope-choices';
import { idIn, outcomeOf, parseForm } from './page.http';
import { profileTemplate } from './profile.page';
import type { ProfileService } from './profile.service';
import { presentEntry, toLogPage } from './security-log.page';
import type { SecurityLogService } from './security-log.service';

interface Dependencies {
  readonly profile: ProfileService;
  readonly authorizations: AuthorizationService;
  readonly personalTokens: PersonalAccessTokenService;
  readonly securityLog: SecurityLogService;
  readonly now: Clock;
}

const lifetimes = [7, 30, 90, 365] as const;
const tokenForm = z.object({
  name: z.string().trim().max(80).default(''),
  days: z.enum(lifetimes.map(String)).default('30'),
  action: z.preprocess((given) => (given === undefined ? [] : [given].flat()), z.array(z.string().max(100)).max(200)),
});
type TokenForm = z.infer<typeof tokenForm>;

interface Extras {
  readonly status?: number;
  readonly notice?: string;
  readonly problem?: string;
  readonly created?: { readonly name: string; readonly token: string };
  readonly form?: TokenForm;
}

/** `/oauth/profile`, with the section Access & Security. */
export function createProfileRoutes(dependencies: Dependencies): Router {
  const { profile, authorizations, personalTokens, securityLog, now } = dependencies;

  /** The log of the person, and what of it they must not overlook. */
  async function securityOf(req: Request) {
    const { person } = signedInOf(req);
    const { log: cursor } = req.query;
    if (cursor !== undefined && typeof cursor !== 'string') throw badRequest('The address is incomplete.');
    const [page, alerts] = await Promise.all([
      securityLog.ownPage(person.accountId, person.id, cursor),
      securityLog.recentAlerts(person.accountId, person.id),
    ]);
    return {
      log: toLogPage(page, person, { address: '/oauth/profile', query: {}, cursor }),
      alerts: alerts.map((entry) => presentEntry(entry, person)),
      accountLog: isAdministrator(person) ? '/oauth/administration/security-log' : undefined,
    };
  }

  async function show(req: Request, res: Response, { status = 200, ...extras }: Extras) {
    const { person } = signedInOf(req);
    const [overview, security] = await Promise.all([profile.overview(person.accountId, person), securityOf(req)]);
    const data = {
      form: { name: '', days: '30', action: [] },
      models,
      verbs,
      lifetimes,
      ...overview,
      ...security,
      ...extras,
    };
    sendPage(res, status, { title: 'Your profile', template: profileTemplate, data }, visitorOf(req));
  }

  /** Shows the page with the token on it, the only time it can be read. */
  async function createToken(req: Request, res: Response) {
    const { person } = signedInOf(req);
    const form = parseForm(tokenForm, req.body);
    const scopes = toScopes(form.action);
    if (form.name === '') return show(req, res, { status: 422, problem: 'Give the token a name.', form });
    if (!scopes) return show(req, res, { status: 422, problem: 'Choose what the token may do.', form });
    const expiresAt = new Date(now().getTime() + Number(form.days) * 86_400_000);
    const { name } = form;
    const outcome = await outcomeOf(personalTokens.create(person.accountId, person.id, { name, scopes, expiresAt }));
    if ('errors' in outcome) return show(req, res, { status: 422, problem: outcome.errors[0]?.[1] ?? '', form });
    return show(req, res, { status: 201, created: { name, token: outcome.done } });
  }

  const router = express.Router();
  router.use('/profile', requireSignIn('/oauth/profile'));
  router
    .route('/profile')
    .get((req, res) => show(req, res, noticeOf(req)))
    .all(methodNotAllowed('GET'));
  router.route('/profile/personal-access-tokens').post(checkForm, createToken).all(methodNotAllowed('POST'));
  router
    .route('/profile/personal-access-tokens/:id/revoke')
    .post(checkForm, async (req, res) => {
      const { person } = signedInOf(req);
      await personalTokens.revoke(person.accountId, person.id, idIn(req.params.id));
      res.redirect(303, '/oauth/profile?revoked=token');
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/profile/authorizations/:id/revoke')
    .post(checkForm, async (req, res) => {
      const { person } = signedInOf(req);
      await authorizations.revoke(person.accountId, person.id, req.params.id);
      res.redirect(303, '/oauth/profile?revoked=application');
    })
    .all(methodNotAllowed('POST'));
  return router;
}

function noticeOf(req: Request): Extras {
  const { revoked } = req.query;
  if (revoked === 'application') return { notice: 'The application can no longer act for you.' };
  if (revoked === 'token') return { notice: 'The token is no longer accepted.' };
  return {};
}
