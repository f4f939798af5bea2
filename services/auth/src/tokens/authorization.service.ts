import { randomUUID } from 'node:crypto';
import { loadConnection } from '@itsm/shared/api/graphql/connections';
import type { Connection, ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Application } from '../clients/application';
import { identifiesClient } from '../clients/redirect-uri';
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
  /**
   * The authorization that makes a new consent unnecessary: the person has allowed all `actions` of the present scopes,
   * for a redirect URI that identifies the application (RFC 6749 §10.2).
   */
  present(
    accountId: string,
    person: Person,
    application: Application,
    actions: readonly string[] | null,
    redirectUri: string,
  ): Promise<Authorization | undefined>;
  /** Adds `actions` to those that the person has allowed before; null for all of the application's. */
  grant(
    accountId: string,
    person: Person,
    application: Application,
    actions: readonly string[] | null,
    redirectUri: string,
  ): Promise<Authorization>;
  /** When it returns, no token of the application for this person is accepted. 404 when the authorization is not theirs. */
  revoke(accountId: string, personId: number, id: string): Promise<void>;
  /** Authorizations for the present scopes of an application of the account, ordered by the id of the person. */
  listOfApplication(
    accountId: string,
    application: Application,
    args: ConnectionArgs,
  ): Promise<Connection<{ readonly authorization: Authorization }>>;
  /** Revokes the authorization of any person for an application of the account, and returns the application. */
  revokeOfApplication(accountId: string, id: string): Promise<Application>;
}

export function createAuthorizationService({
  authorizations,
  applications,
  audit,
  announce,
  now,
}: Dependencies): AuthorizationService {
  async function revoke(accountId: string, personId: number, id: string): Promise<void> {
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
  }

  return {
    async present(
      accountId: string,
      person: Person,
      application: Application,
      actions: readonly string[] | null,
      redirectUri: string,
    ): Promise<Authorization | undefined> {
      if (!identifiesClient(redirectUri)) return undefined;
      const { id, scopesVersion } = application;
      const open = await authorizations.findOpen(accountId, person.id, id, scopesVersion);
      const covers = open?.redirectUris.includes(redirectUri) && includesActions(open.actions, actions);
      return covers ? open : undefined;
    },
    async grant(
      accountId: string,
      person: Person,
      application: Application,
      actions: readonly string[] | null,
      redirectUri: string,
    ): Promise<Authorization> {
      const isRemembered = identifiesClient(redirectUri);
      const open = await authorizations.insertOrFind({
        id: randomUUID(),
        accountId,
        personId: person.id,
        applicationAccountId: application.accountId,
        applicationId: application.id,
        scopesVersion: application.scopesVersion,
        actions,
        redirectUris: isRemembered ? [redirectUri] : [],
        createdAt: now(),
        lastUsedAt: null,
        revokedAt: null,
      });
      if (!includesActions(open.actions, actions)) await authorizations.allow(accountId, open.id, actions);
      if (isRemembered && !open.redirectUris.includes(redirectUri)) {
        await authorizations.addRedirectUri(accountId, open.id, redirectUri);
      }
      return open;
    },
    revoke,
    listOfApplication: (accountId, application, args) =>
      loadConnection(args, {
        async read(slice) {
          const found = await authorizations.listOfApplication(accountId, application, slice);
          return found.map((authorization) => ({ id: authorization.personId, authorization }));
        },
        count: () => authorizations.countOfApplication(accountId, application),
      }),
    async revokeOfApplication(accountId, id) {
      const authorization = await authorizations.findOfApplication(accountId, id);
      const application = authorization && (await applications.find(accountId, authorization.applicationId));
      if (!application) throw notFound();
      await revoke(authorization.accountId, authorization.personId, id);
      return application;
    },
  };
}
