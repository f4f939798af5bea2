import { badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import type { Clock } from '@itsm/shared/base/time/clock';
import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import type { AuthorizationService } from '../tokens/authorization.service';
import { sendPage } from '../sessions/page';
import type { SessionService } from '../sessions/session.service';
import type { PersonalAccessTokenService } from '../tokens/personal-access-token.service';
import { isAdministrator } from '../directory/person';
import type { RoleOffers } from '../directory/role-offer.service';
import { isOwnPath } from '../sessions/own-path';
import { checkForm } from '../sessions/form-token';
import { requireSignIn, signedInOf, visitorOf } from '../sessions/visitor';
import { models, toScopes, verbs } from '@itsm/shared/contracts/scope-choices';
import { idIn, noticeIn, outcomeOf, parseForm } from './page.http';
import type { SentOnce } from './page.http';
import { profileTemplate } from './profile.page';
import { roleWords } from './profile.service';
import type { ProfileService } from './profile.service';
import { presentEntry, toLogPage } from '../security-log/security-log.page';
import type { SecurityLogService } from '../security-log/security-log.service';
import { presentSession } from './session-list.page';

interface Dependencies {
  readonly profile: ProfileService;
  readonly roleOffers: Pick<RoleOffers, 'list' | 'accept' | 'decline'>;
  readonly authorizations: AuthorizationService;
  readonly personalTokens: PersonalAccessTokenService;
  readonly sessions: SessionService;
  readonly securityLog: SecurityLogService;
  readonly requireFresh: RequestHandler;
  readonly sentOnce: SentOnce;
  readonly now: Clock;
}

/** The paths of the console's pages. */
const consolePages = /^\/accounts\//;

const lifetimes = [7, 30, 90, 365] as const;
const tokenForm = z.object({
  name: z.string().trim().max(80).default(''),
  days: z.enum(lifetimes.map(String)).default('30'),
  return: z.string().max(512).default(''),
  action: z.preprocess((given) => (given === undefined ? [] : [given].flat()), z.array(z.string().max(100)).max(200)),
});
type TokenForm = z.infer<typeof tokenForm>;
const emptyForm = tokenForm.parse({});

/** The fields of a new token from the query of a link; undefined when missing or invalid. */
function formIn(req: Request): TokenForm | undefined {
  const { name, days, action, return: back } = req.query;
  if (name === undefined && action === undefined && back === undefined) return undefined;
  const parsed = tokenForm.safeParse({ name, days, action, return: back });
  return parsed.success ? parsed.data : undefined;
}

interface Extras {
  readonly status?: number;
  readonly notice?: string;
  readonly problem?: string;
  /** Whether the form was filled in by a link. */
  readonly isFilledIn?: boolean;
  readonly created?: { readonly name: string; readonly token: string };
  readonly form?: TokenForm | undefined;
}

/** `/oauth/profile`, with the section Access & Security. */
export function createProfileRoutes(dependencies: Dependencies): Router {
  const { profile, roleOffers, authorizations, personalTokens, sessions, securityLog, requireFresh, sentOnce, now } =
    dependencies;

  /** The person's security log and its recent alerts. */
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

  async function show(req: Request, res: Response, { status = 200, form = emptyForm, ...extras }: Extras) {
    const { person, sessionDigest } = signedInOf(req);
    const [overview, offers, security, open] = await Promise.all([
      profile.overview(person.accountId, person),
      roleOffers.list(person.accountId, person),
      securityOf(req),
      sessions.list(person.accountId, person),
    ]);
    const data = {
      form: { ...form, return: isOwnPath(form.return, consolePages) ? form.return : '' },
      models,
      verbs,
      lifetimes,
      ...overview,
      offers: offers.map(({ id, accountName, roles }) => ({ id, accountName, roles: roleWords(roles) })),
      ...security,
      sessions: open.map((session) => presentSession(session, sessionDigest)),
      ...extras,
    };
    sendPage(res, status, { title: 'Your profile', template: profileTemplate, data }, visitorOf(req));
  }

  /** Creates the token and shows it, the only time it can be read. */
  async function createToken(req: Request, res: Response) {
    const { person } = signedInOf(req);
    const form = parseForm(tokenForm, req.body);
    const scopes = toScopes(form.action);
    if (form.name === '') return show(req, res, { status: 422, problem: 'Give the token a name.', form });
    if (!scopes) return show(req, res, { status: 422, problem: 'Choose at least one scope.', form });
    const expiresAt = new Date(now().getTime() + Number(form.days) * 86_400_000);
    const { name } = form;
    const outcome = await outcomeOf(personalTokens.create(person.accountId, person.id, { name, scopes, expiresAt }));
    if ('errors' in outcome) return show(req, res, { status: 422, problem: outcome.errors[0]?.[1] ?? '', form });
    const next = { ...emptyForm, return: form.return };
    return show(req, res, { status: 201, created: { name, token: outcome.done }, form: next });
  }

  const router = express.Router();
  router.use('/profile', requireSignIn('/oauth/profile'));
  router
    .route('/profile')
    .get((req, res) => {
      const form = formIn(req);
      return show(req, res, { ...noticeOf(req), form, isFilledIn: form !== undefined });
    })
    .all(methodNotAllowed('GET'));
  router
    .route('/profile/personal-access-tokens')
    .post(
      checkForm,
      requireFresh,
      sentOnce(() => '/oauth/profile'),
      createToken,
    )
    .all(methodNotAllowed('POST'));
  router
    .route('/profile/personal-access-tokens/:id/revoke')
    .post(checkForm, async (req, res) => {
      const { person } = signedInOf(req);
      await personalTokens.revoke(person.accountId, person.id, idIn(req.params.id));
      res.redirect(303, '/oauth/profile?revoked=token');
    })
    .all(methodNotAllowed('POST'));
  for (const decision of ['accept', 'decline'] as const) {
    router
      .route(`/profile/role-offers/:id/${decision}`)
      .post(checkForm, async (req, res) => {
        const { person } = signedInOf(req);
        await roleOffers[decision](person.accountId, person, String(req.params['id']));
        res.redirect(303, `/oauth/profile?offer=${decision}`);
      })
      .all(methodNotAllowed('POST'));
  }
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
  const { revoked, offer, done } = req.query;
  if (done === 'password') return { notice: 'Your password is changed, and you are signed out everywhere else.' };
  if (offer === 'accept') return { notice: 'You have accepted the roles.' };
  if (offer === 'decline') return { notice: 'You have declined the roles.' };
  if (revoked === 'application') return { notice: 'The authorization is revoked.' };
  if (revoked === 'session') return { notice: 'The session has ended: that browser has to sign in again.' };
  if (revoked === 'token') return { notice: 'The token is revoked.' };
  const notice = noticeIn(req);
  return notice === undefined ? {} : { notice };
}
