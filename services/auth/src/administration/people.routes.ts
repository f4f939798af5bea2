import { AppError, badRequest } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import type { AccountRepository } from '../directory/account.repository';
import type { Person } from '../directory/person';
import type { Editor } from '../directory/person-access';
import { needsLink } from '../directory/person-links.service';
import type { PersonLinks } from '../directory/person-links.service';
import type { OpenOffer } from '../directory/role-offer';
import type { RoleOffers } from '../directory/role-offer.service';
import { checkForm } from '../sessions/form-token';
import { sendPage } from '../sessions/page';
import { signedInOf, visitorOf } from '../sessions/visitor';
import { idIn, outcomeOf } from '../profile/page.http';
import { peopleTemplate } from './people.page';
import { roleWords } from '../profile/profile.service';
import type { PeopleService } from './people.service';

interface Dependencies {
  readonly peopleList: PeopleService;
  readonly personLinks: PersonLinks;
  readonly accounts: AccountRepository;
  readonly roleOffers: Pick<RoleOffers, 'listOpen' | 'withdraw'>;
  /** Whether there is a mail server. */
  readonly areSent: boolean;
  readonly requireFresh: RequestHandler;
}

const section = 'people';
const address = `/oauth/administration/${section}`;
const querySchema = z.object({
  q: z.string().max(128).default(''),
  after: z.string().max(2048).optional(),
  done: z.string().max(32).optional(),
});

interface Shown {
  readonly status?: number;
  readonly notice?: string;
  readonly problem?: string;
}

/** `/oauth/administration/people`: shows who has not followed their link; administrators can send it again. */
export function createPeopleRoutes(dependencies: Dependencies): Router {
  const { peopleList, personLinks, accounts, roleOffers, areSent, requireFresh } = dependencies;

  async function show(req: Request, res: Response, { status = 200, notice, problem }: Shown = {}) {
    const editor = editorOf(signedInOf(req).person);
    const { accountId } = editor;
    const query = querySchema.safeParse(req.query);
    if (!query.success) throw badRequest('The address is incomplete.');
    const { q, after } = query.data;
    const [account, page, offers] = await Promise.all([
      accounts.find(accountId),
      peopleList.page(accountId, q, after),
      roleOffers.listOpen(accountId, editor),
    ]);
    const { hasNextPage, endCursor } = page.pageInfo;
    const link = (more: Record<string, string>) =>
      `${address}?${new URLSearchParams({ ...(q && { q }), ...more }).toString()}`;
    const data = {
      section,
      areSent,
      notice,
      problem,
      q,
      accountId,
      accountName: account?.name ?? accountId,
      rows: page.nodes.map(toRow),
      offers: offers.map(toOfferRow),
      first: after === undefined ? undefined : link({}),
      next: hasNextPage && endCursor !== null ? link({ after: endCursor }) : undefined,
    };
    sendPage(res, status, { title: 'People', template: peopleTemplate, data }, visitorOf(req));
  }

  async function sendLink(req: Request, res: Response) {
    const editor = editorOf(signedInOf(req).person);
    if (!areSent) return show(req, res);
    try {
      const outcome = await outcomeOf(personLinks.invite(editor.accountId, editor, idIn(req.params['id'])));
      if ('errors' in outcome)
        return await show(req, res, { status: 422, problem: `${outcome.errors[0]?.[1] ?? ''}.` });
      return res.redirect(303, `${address}?done=link`);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many_requests') throw error;
      res.set(error.details.headers ?? {});
      return show(req, res, { status: 429, problem: error.message });
    }
  }

  const router = express.Router();
  router
    .route('/administration/people')
    .get((req, res) => show(req, res, noticeIn(req)))
    .all(methodNotAllowed('GET'));
  router.route('/administration/people/:id/send-link').post(checkForm, sendLink).all(methodNotAllowed('POST'));
  router
    .route('/administration/people/:id/end-sessions')
    .post(checkForm, requireFresh, async (req, res) => {
      await peopleList.endSessions(signedInOf(req).person.accountId, idIn(req.params['id']));
      res.redirect(303, `${address}?done=signed-out`);
    })
    .all(methodNotAllowed('POST'));
  router
    .route('/administration/people/role-offers/:id/withdraw')
    .post(checkForm, async (req, res) => {
      const editor = editorOf(signedInOf(req).person);
      await roleOffers.withdraw(editor.accountId, editor, String(req.params['id']));
      res.redirect(303, `${address}?done=withdrawn`);
    })
    .all(methodNotAllowed('POST'));
  return router;
}

function noticeIn({ query }: Request): Shown {
  if (query['done'] === 'link') return { notice: 'The link was sent. The security log shows it.' };
  if (query['done'] === 'signed-out') return { notice: 'The person is signed out in all browsers.' };
  if (query['done'] === 'withdrawn') return { notice: 'The offer is withdrawn.' };
  return {};
}

const editorOf = ({ id: personId, name, accountId, roles }: Person): Editor => ({
  personId,
  name,
  accountId,
  roles: roles[accountId] ?? [],
});

const toOfferRow = ({ id, primaryEmail: to, partnerName, roles, offeredBy, ...offer }: OpenOffer) => ({
  id,
  to,
  partner: partnerName,
  roles: roleWords(roles),
  by: offeredBy.name,
  createdAt: offer.createdAt,
  expiresAt: offer.expiresAt,
  canBeAccepted: offer.canBeAccepted,
});

const toRow = (person: Person) => ({
  id: person.id,
  name: person.name,
  email: person.primaryEmail,
  roles: (person.roles[person.accountId] ?? []).map((role) => role.replaceAll('_', ' ')).join(', '),
  disabled: person.disabledAt !== null,
  unverified: !person.verified,
  hasPassword: person.password !== null,
  needsLink: needsLink(person),
});
