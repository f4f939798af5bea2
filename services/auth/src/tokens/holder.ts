import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf, kindOf } from '@itsm/shared/base/ids/opaque-token';
import type { Account } from '../directory/account';
import type { Application } from '../clients/application';
import { narrowScopes } from '../clients/scope-sets';
import type { AuthorizationRepository } from './authorization.repository';
import type { PresentedState } from './client-state.repository';
import type { Granted, GrantStateRepository } from './grant-state.repository';
import type { NoteUse } from './last-use';
import { judge, whyPersonalVoid } from './liveness';
import type { Person } from '../directory/person';
import type { PersonalAccessTokenRepository } from './personal-access-token.repository';
import type { AccessToken } from './token';

/** The holder of a valid access token. */
export interface Holder {
  readonly kind: CallerClaims['kind'];
  readonly person: Person;
  /** The accounts in which the person has roles. */
  readonly accounts: readonly Account[];
  readonly scopes: readonly Scope[];
  /** Null for a personal access token. */
  readonly application: Application | null;
  readonly clientId: string | null;
  /** The thumbprint of the DPoP key that the token is bound to, if any. */
  readonly jkt: string | undefined;
  /** When the person of the grant authenticated. */
  readonly authenticatedAt: Date | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface Dependencies {
  readonly grantStates: GrantStateRepository;
  readonly authorizations: AuthorizationRepository;
  readonly personalTokens: PersonalAccessTokenRepository;
  readonly noteUse: NoteUse;
  readonly now: Clock;
}

/**
 * Undefined for an invalid token, or one that is no access or personal access token. One store read, or none when
 * `presented` has the state already.
 */
export type LoadHolder = (token: string, presented?: PresentedState) => Promise<Holder | undefined>;

export function createLoadHolder(dependencies: Dependencies): LoadHolder {
  const { grantStates, authorizations, personalTokens, noteUse, now } = dependencies;

  function ofAccess(found: Granted<AccessToken> | undefined, kind: 'access' | 'exchange'): Holder | undefined {
    if (!found || found.subject.revokedAt || found.subject.expiresAt <= now()) return undefined;
    const { grant, jkt, createdAt, expiresAt } = found.subject;
    const verdict = judge(grant, found.state, createdAt);
    if (verdict.kind === 'dead') return undefined;
    const { person, application, authorization } = verdict.grant;
    if (authorization) {
      const { id, accountId, lastUsedAt } = authorization;
      noteUse(`authorization ${id}`, lastUsedAt, (at) => authorizations.touch(accountId, id, at));
    }
    const { clientId, actions, authenticatedAt } = grant;
    const { accounts } = found.state;
    const scopes = narrowScopes(application.scopes, actions);
    return { kind, person, accounts, scopes, application, clientId, jkt, authenticatedAt, createdAt, expiresAt };
  }

  async function ofPersonal(digest: string): Promise<Holder | undefined> {
    const found = await grantStates.findPersonal(digest);
    if (!found?.person) return undefined;
    const { token, person, accounts } = found;
    const account = accounts.find(({ id }) => id === token.accountId);
    if (whyPersonalVoid(token, { person, account }, now()) !== undefined) return undefined;
    noteUse(`token ${token.id}`, token.lastUsedAt, (at) => personalTokens.touch(token.accountId, token.id, at));
    const { scopes, createdAt, expiresAt } = token;
    const none = { application: null, clientId: null, jkt: undefined, authenticatedAt: undefined };
    return { kind: 'personal', person, accounts, scopes, ...none, createdAt, expiresAt };
  }

  return async (token, presented) => {
    const kind = kindOf(token);
    if (kind === 'pat') return ofPersonal(digestOf(token));
    if (kind !== 'at' && kind !== 'xt') return undefined;
    const found = presented ? presented.access : await grantStates.findAccess(digestOf(token));
    return ofAccess(found, kind === 'at' ? 'access' : 'exchange');
  };
}
