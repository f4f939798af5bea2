import { forbidden, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Audit } from '../security/audit.service';
import type { Announce } from '../security/announce';
import type { Application, ApplicationToken } from './application';
import type { ApplicationRepository } from './application.repository';
import { newClientToken } from './application';
import { isWithin } from './scope-sets';

/** Enough for rotation without an outage, and for a few deployments of the application. */
export const mostClientTokens = 10;
export const longestTokenName = 80;

interface Dependencies {
  readonly applications: ApplicationRepository;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

export interface ClientTokenService {
  readonly find: (
    accountId: string,
    id: number,
    clientId: string,
  ) => Promise<{ readonly application: Application; readonly token: ApplicationToken }>;
  readonly findByClientId: (
    accountId: string,
    clientId: string,
  ) => Promise<{ readonly application: Application; readonly token: ApplicationToken }>;
  /** The secret is returned here and never again. */
  create(
    accountId: string,
    limits: readonly Scope[],
    id: number,
    name?: string | null,
  ): Promise<{ readonly application: Application; readonly token: ApplicationToken; readonly clientSecret: string }>;
  /** When it returns, no access token issued to this client token is accepted. */
  disable(accountId: string, id: number, clientId: string): Promise<void>;
  /** The client token can be used again; access tokens issued before stay void. */
  enable(accountId: string, limits: readonly Scope[], id: number, clientId: string): Promise<void>;
  /** As `disable`, for good; it cannot be undone. */
  delete(accountId: string, clientId: string): Promise<Application>;
}

/** The client ids and secrets of applications. `limits` are as in the application service. */
export function createClientTokenService({ applications, announce, audit, now }: Dependencies): ClientTokenService {
  /** A 404 when no application of the account has such a token. */
  async function findByClientId(accountId: string, clientId: string) {
    const application = await applications.findByClientId(clientId);
    if (application?.accountId !== accountId) throw notFound();
    return find(accountId, application.id, clientId);
  }

  /** A 404 for an unknown application, or an unknown token of it. */
  async function find(accountId: string, id: number, clientId: string) {
    const application = await applications.find(accountId, id);
    const token = application?.tokens.find((candidate) => candidate.clientId === clientId);
    if (!application || !token) throw notFound();
    return { application, token };
  }

  /** Announces a revocation. Done even when nothing changed, because an earlier call may have failed between write and announcement. */
  async function revoked(
    event: 'client_token.disabled' | 'client_token.deleted',
    { accountId, clientId }: { readonly accountId: string; readonly clientId: string },
    application: Application | undefined,
  ): Promise<Application> {
    await announce([accountId], async () => {
      if (application) await audit.record(accountId, { event, application, clientId });
    });
    if (!application) throw notFound();
    return application;
  }

  return {
    find,
    findByClientId,
    async create(
      accountId: string,
      limits: readonly Scope[],
      id: number,
      name: string | null = null,
    ): Promise<{ application: Application; token: ApplicationToken; clientSecret: string }> {
      const application = await applications.find(accountId, id);
      if (!application) throw notFound();
      checkWithin(application, limits);
      const called = name === null || name.trim() === '' ? null : name.trim();
      if (called !== null && called.length > longestTokenName)
        throw validationFailed([['name', `Name is too long (at most ${longestTokenName} characters)`]]);
      const { clientSecret, token } = newClientToken(now(), called);
      if (!(await applications.addToken(accountId, id, token, mostClientTokens))) {
        throw validationFailed([['applicationId', `An application has at most ${mostClientTokens} client tokens`]]);
      }
      const facts = called === null ? {} : { name: called };
      await audit.record(accountId, { event: 'client_token.created', application, clientId: token.clientId, facts });
      return { application, token, clientSecret };
    },
    async disable(accountId: string, id: number, clientId: string): Promise<void> {
      const application = await applications.changeToken(accountId, id, clientId, { disabledAt: now() });
      await revoked('client_token.disabled', { accountId, clientId }, application);
    },
    async enable(accountId: string, limits: readonly Scope[], id: number, clientId: string): Promise<void> {
      const { application, token } = await find(accountId, id, clientId);
      checkWithin(application, limits);
      if (!token.disabledAt) return;
      await applications.changeToken(accountId, id, clientId, { disabledAt: null, enabledAt: now() });
      await audit.record(accountId, { event: 'client_token.enabled', application, clientId });
    },
    async delete(accountId: string, clientId: string): Promise<Application> {
      const application = await applications.deleteToken(accountId, clientId);
      return revoked('client_token.deleted', { accountId, clientId }, application);
    },
  };
}

function checkWithin({ scopes }: Application, limits: readonly Scope[]): void {
  if (!isWithin(scopes, limits)) throw forbidden('The application may do more than the token of this call');
}
