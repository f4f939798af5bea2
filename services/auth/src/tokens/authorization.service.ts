import { randomUUID } from 'node:crypto';
import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Application } from '../clients/application';
import { includesActions } from '../clients/scope-sets';
import type { ApplicationRepository } from '../clients/application.repository';
import type { Audit } from '../security/audit.service';
import type { Person } from '../directory/person';
import type { Announce } from '../security/announce';
import type { Authorization } from './authorization';
import type { AuthorizationRepository } from './authorization.repository';

interface Dependencies {
  readonly authorizations: AuthorizationRepository;
  readonly applications: ApplicationRepository;
  readonly audit: Audit;
  readonly announce: Announce;
  readonly now: Clock;
}

export interface AuthorizationService {
  /** What lets the application do `actions` of its present scopes for the person, if they have allowed all of these. */
  present(
    accountId: string,
    person: Person,
    application: Application,
    actions: readonly string[] | null,
  ): Promise<Authorization | undefined>;
  /** Allows `actions`, null for all of the application's, beside what the person has allowed before. */
  grant(
    accountId: string,
    person: Person,
    application: Application,
    actions: readonly string[] | null,
  ): Promise<Authorization>;
  /** From the moment this returns no token of the application for this person is accepted; 404 when it is not theirs. */
  revoke(accountId: string, personId: number, id: string): Promise<void>;
}

export function createAuthorizationService({
  authorizations,
  applications,
  audit,
  announce,
  now,
}: Dependencies): AuthorizationService {
  return {
    async present(
      accountId: string,
      person: Person,
      application: Application,
      actions: readonly string[] | null,
    ): Promise<Authorization | undefined> {
      const { id, scopesVersion } = application;
      const open = await authorizations.findOpen(accountId, person.id, id, scopesVersion);
      return open && includesActions(open.actions, actions) ? open : undefined;
    },
    async grant(
      accountId: string,
      person: Person,
      application: Application,
      actions: readonly string[] | null,
    ): Promise<Authorization> {
      const open = await authorizations.insertOrFind({
        id: randomUUID(),
        accountId,
        personId: person.id,
        applicationAccountId: application.accountId,
        applicationId: application.id,
        scopesVersion: application.scopesVersion,
        actions,
        createdAt: now(),
        lastUsedAt: null,
        revokedAt: null,
      });
      if (!includesActions(open.actions, actions)) await authorizations.allow(accountId, open.id, actions);
      return open;
    },
    async revoke(accountId: string, personId: number, id: string): Promise<void> {
      const authorization = await authorizations.find(accountId, id);
      if (authorization?.personId !== personId) throw notFound();
      const { applicationAccountId, applicationId } = authorization;
      await authorizations.revoke(accountId, personId, applicationId, now());
      await announce([accountId, applicationAccountId], async () => {
        const found = await applications.find(applicationAccountId, applicationId);
        const application = found ?? { accountId: applicationAccountId, id: applicationId };
        const person = { accountId, id: personId };
        await audit.record(accountId, { event: 'authorization.revoked', person, application });
      });
    },
  };
}
