import type { Account } from '../directory/account';
import type { Application } from '../clients/application';
import { enabledToken } from '../clients/application';
import { isOfInstallation } from '../clients/installed-application';
import type { Authorization } from './authorization';
import type { Person } from '../directory/person';
import type { PersonalAccessToken } from './personal-access-token';
import { whyVoid } from '../directory/standing';
import { hasSamePassword } from '../sessions/session';
import type { Session } from '../sessions/session';
import type { GrantReference, TokenFamily } from './token-family';

/** The present state of the documents that the validity of a token depends on. */
export interface GrantState {
  readonly family: TokenFamily | undefined;
  readonly authorization: Authorization | undefined;
  /** The session that the grant ends with, if it names one. */
  readonly session?: Session | undefined;
  readonly application: Application | undefined;
  readonly person: Person | undefined;
  /** The person's account. */
  readonly account: Account | undefined;
  readonly applicationAccount: Account | undefined;
  /** The accounts in which the person has roles. */
  readonly accounts: readonly Account[];
}

/** A valid grant with the documents it refers to. */
export interface LiveGrant {
  readonly application: Application;
  readonly person: Person;
  /** Undefined for grants of the application alone. */
  readonly authorization: Authorization | undefined;
}

export type Verdict =
  { readonly kind: 'live'; readonly grant: LiveGrant } | { readonly kind: 'dead'; readonly because: string };

const dead = (because: string): Verdict => ({ kind: 'dead', because });

/**
 * The single place that decides whether a token of this grant is valid, from the family up to the account. `grantedAt`:
 * the time of a grant without a family.
 */
export function judge(reference: GrantReference, state: GrantState, grantedAt: Date): Verdict {
  const { family, authorization, session, application, person, account, applicationAccount } = state;
  if (reference.familyId !== null && (!family || family.revokedAt))
    return dead('It was used more than once, or it was revoked');
  if (reference.authorizationId !== null && (!authorization || authorization.revokedAt))
    return dead('The authorization was revoked');
  // The expiry of the session needs no check: no token outlives it.
  if (reference.sessionId !== undefined && !(session && person && hasSamePassword(person, session)))
    return dead('The person has signed out, or has a new password');
  const since = family?.createdAt ?? grantedAt;
  const token = application && enabledToken(application, reference.clientId);
  const because =
    whyVoid('The application', application, since) ??
    whyVoid('The token of the client', token, since) ??
    (reference.scopesVersion === application?.scopesVersion ? undefined : 'The scopes of the application changed') ??
    whyVoid('The person', person, since) ??
    whyVoid('The account', account, since) ??
    (application && isOfInstallation(application)
      ? undefined
      : whyVoid('The account of the application', applicationAccount, since));
  if (because !== undefined || !application || !person) return dead(because ?? 'Something of it is gone');
  return { kind: 'live', grant: { authorization, application, person } };
}

/** Why a personal access token is not valid; undefined when it is. */
export function whyPersonalVoid(
  { createdAt, expiresAt }: Pick<PersonalAccessToken, 'createdAt' | 'expiresAt'>,
  { person, account }: Pick<GrantState, 'person' | 'account'>,
  now: Date,
): string | undefined {
  if (expiresAt <= now) return 'It has expired';
  return whyVoid('The person', person, createdAt) ?? whyVoid('The account', account, createdAt);
}
