import { notFound } from '@itsm/shared/base/errors/app-error';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { Application } from '../clients/application';
import type { ApplicationReferences } from '../clients/application-references';
import type { NewApplicationSettings } from '../clients/application.input';
import type { ApplicationService } from '../clients/application.service';
import { sendPage } from '../sessions/page';
import { models, verbs } from '@itsm/shared/contracts/scope-choices';
import { checkForm } from '../sessions/form-token';
import { signedInOf, visitorOf } from '../sessions/visitor';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import {
  applicationForm,
  emptyForm,
  fromApplicationForm,
  toApplicationForm,
  toFormErrors,
} from './application-form.input';
import type { ApplicationForm } from './application-form.input';
import { applicationFormTemplate } from './application-form.page';
import { applicationAddress } from './application.page';
import { grantTypeChoices } from './grant-words';
import { idIn, outcomeOf, parseForm, signedInScopes } from './page.http';

interface Dependencies {
  readonly applications: ApplicationService;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
  readonly requireFresh: RequestHandler;
}

interface Shown {
  /** Undefined for a new application. */
  readonly id: number | undefined;
  readonly form: ApplicationForm;
  readonly errors?: readonly FieldError[];
}

/** The pages that create and change applications. */
export function createApplicationFormRoutes(dependencies: Dependencies): Router {
  const { applications, references, ssoConfigurations, requireFresh } = dependencies;
  async function show(req: Request, res: Response, { id, form, errors = [] }: Shown) {
    const { accountId } = signedInOf(req).person;
    const title = id === undefined ? 'New application' : 'Edit application';
    const back = id === undefined ? '/oauth/administration/applications' : applicationAddress(id);
    const data = {
      section: 'applications',
      form,
      errors,
      models,
      verbs,
      grantTypes: grantTypeChoices,
      action: back,
      back,
      button: id === undefined ? 'Create application' : 'Save',
      isChange: id !== undefined,
      ssoConfigurations: await ssoConfigurations.listLinkable(accountId),
    };
    const status = errors.length > 0 ? 422 : 200;
    sendPage(res, status, { title, template: applicationFormTemplate, data }, visitorOf(req));
  }

  /** Saves the form and redirects to the application's page, or shows the typed values again with the problems. */
  async function save(
    req: Request,
    res: Response,
    id: number | undefined,
    write: (settings: NewApplicationSettings) => Promise<Application>,
  ) {
    const form = parseForm(applicationForm, req.body);
    const parsed = await fromApplicationForm(signedInOf(req).person.accountId, form, references);
    if ('errors' in parsed) return show(req, res, { id, form, errors: parsed.errors });
    const { settings } = parsed;
    const outcome = await outcomeOf(write(settings));
    if ('errors' in outcome) {
      return show(req, res, { id, form, errors: toFormErrors(outcome.errors, { settings, form }) });
    }
    res.redirect(303, `${applicationAddress(outcome.done.id)}?done=${id === undefined ? 'created' : 'saved'}`);
  }

  const router = express.Router();
  router
    .route('/administration/applications/new')
    .get((req, res) => show(req, res, { id: undefined, form: emptyForm }))
    .all(methodNotAllowed('GET'));
  router.post('/administration/applications', checkForm, requireFresh, (req, res) => {
    const { accountId } = signedInOf(req).person;
    return save(req, res, undefined, (settings) => applications.create(accountId, signedInScopes, settings));
  });
  router
    .route('/administration/applications/:id/edit')
    .get(async (req, res) => {
      const { accountId } = signedInOf(req).person;
      const application = await applications.find(accountId, idIn(req.params.id));
      if (!application) throw notFound();
      const { id, actsAsPersonId } = application;
      const person = actsAsPersonId === null ? undefined : await references.findPerson(accountId, actsAsPersonId);
      await show(req, res, { id, form: toApplicationForm(application, person?.primaryEmail ?? '') });
    })
    .all(methodNotAllowed('GET'));
  router.post('/administration/applications/:id', checkForm, requireFresh, (req, res) => {
    const { accountId } = signedInOf(req).person;
    const id = idIn(req.params.id);
    return save(req, res, id, (settings) => applications.update(accountId, signedInScopes, id, settings));
  });
  return router;
}
