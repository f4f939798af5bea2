import type { Account } from '../accounts/account';
import type { Application } from '../applications/application';
import { enabledToken } from '../applications/application';
import type { Authorization } from '../authorizations/authorization';
import type { Person } from '../people/person';
import { vouchesFor } from './standing';
import type { GrantReference, TokenFamily } from '../token-families/token-family';

/** The documents that the life of a token depends on, as they are at this moment. */
export interface GrantState {
  readonly family: TokenFamily | undefined;
  readonly authorization: Authorization | undefined;
  readonly application: Application | undefined;
  readonly person: Person | undefined;
  /** The person's account. */
  readonly account: Account | undefined;
  readonly applicationAccount: Account | undefined;
  /** Where the person has roles. */
  readonly accounts: readonly Account[];
}

/** A grant that may be used, with everything it leads to. */
export interface LiveGrant {
  readonly application: Application;
  readonly person: Person;
  /** Undefined for what came of the application alone. */
  readonly authorization: Authorization | undefined;
}

export type Verdict =
  { readonly kind: 'live'; readonly grant: LiveGrant } | { readonly kind: 'dead'; readonly because: string };

const dead = (because: string): Verdict => ({ kind: 'dead', because });

/**
 * The one place that says whether a token of this grant counts, from the family up to the account. `grantedAt` is when
 * something was granted that has no family.
 */
export function judge(reference: GrantReference, state: GrantState, grantedAt: Date): Verdict {
  const { family, authorization, application, person, account, applicationAccount } = state;
  if (reference.familyId !== null && (!family || family.revokedAt))
    return dead('It was used more than once, or it was revoked');
  if (reference.authorizationId !== null && (!authorization || authorization.revokedAt))
    return dead('The authorization was revoked');
  const since = family?.createdAt ?? grantedAt;
  if (!application || !vouchesFor(application, since)) return dead('The application is disabled');
  const token = enabledToken(application, reference.clientId);
  if (!token || !vouchesFor(token, since)) return dead('The token of the client is disabled');
  if (reference.scopesVersion !== application.scopesVersion) return dead('The scopes of the application changed');
  if (!person || !vouchesFor(person, since)) return dead('The person is disabled');
  if (!account || !vouchesFor(account, since)) return dead('The account is disabled');
  if (!applicationAccount || !vouchesFor(applicationAccount, since))
    return dead('The account of the application is disabled');
  return { kind: 'live', grant: { authorization, application, person } };
}
