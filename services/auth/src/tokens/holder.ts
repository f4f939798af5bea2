import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf, kindOf } from '@itsm/shared/base/ids/opaque-token';
import type { Account } from '../directory/account';
import type { Application } from '../clients/application';
import { narrowScopes } from '../clients/scope-sets';
import type { AuthorizationRepository } from './authorization.repository';
import type { Brought } from './client-state.repository';
import type { Granted, GrantStateRepository } from './grant-state.repository';
import { judge, whyPersonalVoid } from './liveness';
import type { Person } from '../directory/person';
import type { PersonalAccessTokenRepository } from './personal-access-token.repository';
import type { AccessToken } from './token';

/** What an access token that counts at this moment stands for. */
export interface Holder {
  readonly kind: CallerClaims['kind'];
  readonly person: Person;
  /** Where the person has roles. */
  readonly accounts: readonly Account[];
  readonly scopes: readonly Scope[];
  /** Null for a personal access token. */
  readonly application: Application | null;
  readonly clientId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface Dependencies {
  readonly grantStates: GrantStateRepository;
  readonly authorizations: AuthorizationRepository;
  readonly personalTokens: PersonalAccessTokenRepository;
  readonly logger: Logger;
  readonly now: Clock;
}

/**
 * Undefined for whatever is not an access or personal token, and for one that does not count now. One store read, or
 * none for an access token that was `brought` by a client.
 */
export type LoadHolder = (token: string, brought?: Brought) => Promise<Holder | undefined>;

const touchMilliseconds = 60_000;

export function createLoadHolder({ grantStates, authorizations, personalTokens, ...base }: Dependencies): LoadHolder {
  const { logger, now } = base;

  /** "Last used" is for people to read: kept to the minute, and no call waits for it. */
  function touch(lastUsedAt: Date | null, write: (at: Date) => Promise<void>): void {
    const at = now();
    if (lastUsedAt && at.getTime() - lastUsedAt.getTime() < touchMilliseconds) return;
    write(at).catch((error: unknown) => logger.warn('last use not recorded', { error }));
  }

  function ofAccess(found: Granted<AccessToken> | undefined, kind: 'access' | 'exchange'): Holder | undefined {
    if (!found || found.subject.revokedAt || found.subject.expiresAt <= now()) return undefined;
    const { grant, createdAt, expiresAt } = found.subject;
    const verdict = judge(grant, found.state, createdAt);
    if (verdict.kind === 'dead') return undefined;
    const { person, application, authorization } = verdict.grant;
    if (authorization) {
      touch(authorization.lastUsedAt, (at) => authorizations.touch(person.accountId, authorization.id, at));
    }
    const { clientId, actions } = grant;
    const { accounts } = found.state;
    const scopes = narrowScopes(application.scopes, actions);
    return { kind, person, accounts, scopes, application, clientId, createdAt, expiresAt };
  }

  async function ofPersonal(digest: string): Promise<Holder | undefined> {
    const found = await grantStates.findPersonal(digest);
    if (!found?.person) return undefined;
    const { token, person, accounts } = found;
    const account = accounts.find(({ id }) => id === token.accountId);
    if (whyPersonalVoid(token, { person, account }, now()) !== undefined) return undefined;
    touch(token.lastUsedAt, (at) => personalTokens.touch(token.accountId, token.id, at));
    const { scopes, createdAt, expiresAt } = token;
    return { kind: 'personal', person, accounts, scopes, application: null, clientId: null, createdAt, expiresAt };
  }

  return async (token, brought) => {
    const kind = kindOf(token);
    if (kind === 'pat') return ofPersonal(digestOf(token));
    if (kind !== 'at' && kind !== 'xt') return undefined;
    const found = brought ? brought.access : await grantStates.findAccess(digestOf(token));
    return ofAccess(found, kind === 'at' ? 'access' : 'exchange');
  };
}
