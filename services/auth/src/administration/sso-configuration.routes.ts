import { notFound } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import type { AccountRepository } from '../directory/account.repository';
import { sendPage } from '../sessions/page';
import { checkForm } from '../sessions/form-token';
import { signedInOf, visitorOf } from '../sessions/visitor';
import { byInputNames, readForm } from '@itsm/shared/declared/read-input';
import {
  personIdentifiers,
  formerRedirectUriOf,
  redirectUriOf,
  ssoConfigurationType,
} from '../clients/sso-configuration';
import type { PersonIdentifier, SsoConfiguration } from '../clients/sso-configuration';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import { idIn, noticeIn, outcomeOf, parseForm } from '../profile/page.http';
import { ssoConfigurationFormTemplate, ssoConfigurationListTemplate } from './sso-configuration.page';

interface Dependencies {
  readonly ssoConfigurations: SsoConfigurationService;
  readonly accounts: AccountRepository;
  readonly baseUrl: string;
  readonly requireFresh: RequestHandler;
}

const section = 'sso-configurations';
const address = `/oauth/administration/${section}`;
const identifierWords: Readonly<Record<PersonIdentifier, string>> = {
  primary_email: 'primary e-mail',
  authentication_id: 'authentication ID',
};
const identifiers = personIdentifiers.map((value) => ({ value, label: identifierWords[value] }));

const checkbox = z
  .literal('yes')
  .optional()
  .transform((given) => given !== undefined);

const formSchema = z.object({
  name: z.string().max(16_384).default(''),
  issuer: z.string().max(16_384).default(''),
  identifier: z.enum(personIdentifiers),
  clientId: z.string().max(16_384).default(''),
  clientSecret: z.string().max(16_384).default(''),
  formerRedirectUri: checkbox,
  disabled: checkbox,
});

/** Check boxes that follow from the declaration; the former redirect URI is shown with its address. */
const flags = ssoConfigurationType.fields.filter(
  (field) => field.kind === 'flag' && field.name !== 'formerRedirectUri',
);
const flagsSchema = z.object(Object.fromEntries(flags.map(({ name }) => [name, checkbox])));
const flagsOf = (valueOf: (flag: (typeof flags)[number]) => boolean): Form['flags'] =>
  Object.fromEntries(flags.map((flag) => [flag.name, valueOf(flag)]));

type Form = z.output<typeof formSchema> & { readonly flags: z.output<typeof flagsSchema> };

interface Shown {
  /** Undefined for a new configuration. */
  readonly id: number | undefined;
  readonly form: Form;
  readonly errors?: readonly FieldError[];
}

/** The pages of SSO configurations. */
export function createSsoConfigurationRoutes({
  ssoConfigurations,
  accounts,
  baseUrl,
  requireFresh,
}: Dependencies): Router {
  async function list(req: Request, res: Response) {
    const { accountId } = signedInOf(req).person;
    const [account, all] = await Promise.all([accounts.find(accountId), ssoConfigurations.listLinkable(accountId)]);
    const rows = all.map((configuration) => toRow(accountId, configuration));
    const data = { section, accountName: account?.name ?? accountId, rows, notice: noticeIn(req) };
    sendPage(res, 200, { title: 'SSO configurations', template: ssoConfigurationListTemplate, data }, visitorOf(req));
  }

  function show(req: Request, res: Response, { id, form, errors = [] }: Shown) {
    const isChange = id !== undefined;
    const data = {
      section,
      form: { ...form, clientSecret: '' },
      flags: flags.map(({ name, label, help }) => ({ name, label, help, isOn: form.flags[name] })),
      errors,
      identifiers,
      redirectUri: isChange ? redirectUriOf(baseUrl, id) : undefined,
      formerRedirectUri: form.formerRedirectUri ? formerRedirectUriOf(baseUrl) : undefined,
      isChange,
      back: address,
      action: isChange ? `${address}/${id}` : address,
      button: isChange ? 'Save' : 'Create SSO configuration',
    };
    const title = isChange ? 'Edit SSO configuration' : 'New SSO configuration';
    const status = errors.length > 0 ? 422 : 200;
    sendPage(res, status, { title, template: ssoConfigurationFormTemplate, data }, visitorOf(req));
  }

  async function save(req: Request, res: Response, id?: number) {
    const { accountId } = signedInOf(req).person;
    const form = { ...parseForm(formSchema, req.body), flags: parseForm(flagsSchema, req.body) };
    const isNew = id === undefined;
    // The secret is never shown, so an empty field means no change.
    const { clientSecret, flags: chosen, ...rest } = form;
    const input = { ...rest, ...chosen, ...(clientSecret !== '' && { clientSecret }) };
    const saving = async () => {
      const given = readForm(ssoConfigurationType, isNew ? 'create' : 'update', input);
      return isNew ? ssoConfigurations.create(accountId, given) : ssoConfigurations.update(accountId, id, given);
    };
    const outcome = await outcomeOf(saving());
    if ('errors' in outcome) show(req, res, { id, form, errors: byInputNames(ssoConfigurationType, outcome.errors) });
    else res.redirect(303, `${address}?done=saved`);
  }

  const router = express.Router();
  router
    .route(`/administration/${section}`)
    .get(list)
    .post(checkForm, requireFresh, (req, res) => save(req, res))
    .all(methodNotAllowed('GET', 'POST'));
  router
    .route(`/administration/${section}/new`)
    .get((req, res) => {
      const form: Form = {
        name: '',
        issuer: '',
        identifier: 'primary_email',
        flags: flagsOf((flag) => flag.default),
        clientId: '',
        clientSecret: '',
        formerRedirectUri: false,
        disabled: false,
      };
      show(req, res, { id: undefined, form });
    })
    .all(methodNotAllowed('GET'));
  router
    .route(`/administration/${section}/:id`)
    .get(async (req, res) => {
      const { accountId } = signedInOf(req).person;
      const found = await ssoConfigurations.find(accountId, idIn(req.params.id));
      if (!found) throw notFound();
      const { id, name, issuer, identifier, clientId, formerRedirectUri, disabledAt } = found;
      const form = {
        name,
        issuer,
        identifier,
        flags: flagsOf((flag) => found[flag.name]),
        clientId: clientId ?? '',
        clientSecret: '',
        formerRedirectUri,
        disabled: disabledAt !== null,
      };
      show(req, res, { id, form });
    })
    .post(checkForm, requireFresh, (req, res) => save(req, res, idIn(req.params.id)))
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}

const toRow = (reader: string, { id, accountId, name, issuer, identifier, disabledAt }: SsoConfiguration) => ({
  id,
  accountId,
  name,
  issuer,
  identifier: identifierWords[identifier],
  own: accountId === reader,
  disabled: disabledAt !== null,
});
