import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Request, Response } from 'express';
import type { ApplicationReferences } from '../clients/application-references';
import type { ApplicationService } from '../clients/application.service';
import { sendPage } from '../sessions/page';
import { describeScopes } from '../clients/scope-words';
import { signedInOf, visitorOf } from '../sessions/visitor';
import type { SsoConfigurationService } from '../clients/sso-configuration.service';
import { applicationTemplate } from './application.page';
import { describeGrantTypes } from './grant-words';
import { noticeIn } from './page.http';

interface Dependencies {
  readonly applications: ApplicationService;
  readonly references: ApplicationReferences;
  readonly ssoConfigurations: SsoConfigurationService;
}

export interface ApplicationPageExtras {
  readonly status?: number;
  readonly problem?: string;
  /** A client token that was just made, with its secret. */
  readonly created?: { readonly clientId: string; readonly clientSecret: string };
}

export type ShowApplication = (
  req: Request,
  res: Response,
  id: number,
  extras?: ApplicationPageExtras,
) => Promise<void>;

export const applicationAddress = (id: number): string => `/oauth/administration/applications/${id}`;

/** Answers with the page of one application; a 404 when the account has none with this id. */
export const createShowApplication =
  ({ applications, references, ssoConfigurations }: Dependencies): ShowApplication =>
  async (req, res, id, { status = 200, ...extras } = {}) => {
    const { accountId } = signedInOf(req).person;
    const application = await applications.find(accountId, id);
    if (!application) throw notFound();
    const { ssoConfigurationId, actsAsPersonId } = application;
    const [sso, person] = await Promise.all([
      ssoConfigurationId === null ? undefined : ssoConfigurations.findLinkable(accountId, ssoConfigurationId),
      actsAsPersonId === null ? undefined : references.findPerson(accountId, actsAsPersonId),
    ]);
    const data = {
      section: 'applications',
      address: applicationAddress(id),
      notice: noticeIn(req),
      application,
      grants: describeGrantTypes(application.grantTypes),
      scopes: describeScopes(application.scopes),
      ssoName: sso && `${sso.name}${sso.disabledAt ? ' (disabled)' : ''}`,
      actsAs: person && `${person.name} · ${person.primaryEmail}${person.disabledAt ? ' (disabled)' : ''}`,
      ...extras,
    };
    sendPage(res, status, { title: application.name, template: applicationTemplate, data }, visitorOf(req));
  };
