import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError, forbidden, notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { changedRecord, refuse } from '@itsm/shared/declared/read-input';
import type { GivenOf } from '@itsm/shared/declared/record-of';
import type { Clock } from '@itsm/shared/base/time/clock';
import { withDisabled } from '../directory/standing';
import type { AuditEntry } from '../security/audit-entry';
import type { Audit } from '../security/audit.service';
import type { Announce } from '../security/announce';
import type { Application } from './application';
import type { ApplicationRepository } from './application.repository';
import { clientTokenType, newClientToken } from './client-token';
import type { ClientToken } from './client-token';
import { isWithin } from './scope-sets';

/** Enough for rotation without an outage, and for a few deployments of the application. */
const mostClientTokens = 10;

interface Dependencies {
  readonly applications: ApplicationRepository;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

/** Where a client token is. Its client id alone suffices. */
export interface ClientTokenPlace {
  readonly applicationId?: number;
  readonly clientId: string;
}

/** What a caller has given for a client token. */
type ClientTokenInput = GivenOf<typeof clientTokenType>;

/** The client ids and secrets of applications. `limits` are as in the application service. */
export interface ClientTokenService {
  /** The secret is returned here and never again. */
  create(
    accountId: string,
    limits: readonly Scope[],
    given: ClientTokenInput,
  ): Promise<{ readonly token: ClientToken; readonly clientSecret: string }>;
  /**
   * When it returns, no access token issued to a disabled client token is accepted. Those that were issued before stay
   * void when it is enabled again.
   */
  update(
    accountId: string,
    limits: readonly Scope[],
    place: ClientTokenPlace,
    changes: ClientTokenInput,
    check?: Precondition<ClientToken>,
  ): Promise<ClientToken>;
  /** As disabling, for good; it cannot be undone. Returns the application without it. */
  delete(accountId: string, place: ClientTokenPlace, check?: Precondition<ClientToken>): Promise<Application>;
}

export function createClientTokenService({ applications, announce, audit, now }: Dependencies): ClientTokenService {
  /** Undefined when the application, or any of the account, has no such token. */
  async function find(accountId: string, { applicationId, clientId }: ClientTokenPlace) {
    const application = await applications.findByClientId(clientId);
    const token = application?.tokens.find((candidate) => candidate.clientId === clientId);
    const isThere = application?.accountId === accountId && (applicationId ?? application.id) === application.id;
    return application && token && isThere ? { application, token } : undefined;
  }

  /** Announced also when nothing changed, because an earlier call may have failed between write and announcement. */
  const announced = (accountId: string, entry: AuditEntry | undefined): Promise<void> =>
    announce([accountId], async () => {
      if (entry) await audit.record(accountId, entry);
    });

  return {
    async create(accountId, limits, { applicationId = 0, name = null, disabled }) {
      if (disabled !== undefined) throw refuse(clientTokenType, { disabled: 'cannot be given for a new one' });
      const application = await applications.find(accountId, applicationId);
      if (!application) throw notFound();
      checkWithin(application, limits);
      const { clientSecret, token } = newClientToken(now(), name);
      if (!(await applications.addToken(accountId, applicationId, token, mostClientTokens))) {
        throw validationFailed([['application_id', `An application has at most ${mostClientTokens} client tokens`]]);
      }
      const { clientId } = token;
      const facts = name === null ? {} : { name };
      await audit.record(accountId, { event: 'client_token.created', application, clientId, facts });
      return { token, clientSecret };
    },
    update(accountId, limits, place, changes, check) {
      const attempt = async () => {
        const found = await find(accountId, place);
        if (!found) throw notFound();
        const { application, token } = found;
        const { disabled = token.disabledAt !== null } = changes;
        changedRecord(clientTokenType, token, changes);
        if (!disabled) checkWithin(application, limits);
        await check?.(token);
        const at = now();
        const standing = withDisabled(token, disabled, at);
        const isChange = disabled !== (token.disabledAt !== null);
        if (isChange && !(await applications.changeToken(application, token, standing, at))) return stale;
        const event = disabled ? 'client_token.disabled' : 'client_token.enabled';
        await announced(accountId, isChange ? { event, application, clientId: token.clientId } : undefined);
        return isChange ? { ...token, ...standing, version: token.version + 1 } : token;
      };
      return writeAgain(attempt, { busy });
    },
    delete(accountId, place, check) {
      const attempt = async () => {
        const found = await find(accountId, place);
        if (!found) {
          await announced(accountId, undefined);
          throw notFound();
        }
        const { clientId, version } = found.token;
        await check?.(found.token);
        const application = await applications.deleteToken(accountId, clientId, now(), check && version);
        if (!application) return stale;
        await announced(accountId, { event: 'client_token.deleted', application, clientId });
        return application;
      };
      return writeAgain(attempt, { busy });
    },
  };
}

function checkWithin({ scopes }: Application, limits: readonly Scope[]): void {
  if (!isWithin(scopes, limits)) throw forbidden('The application may do more than the token of this call');
}

const busy = (): never => {
  throw new AppError('conflict', 'The client token is being changed by others at the same time');
};
