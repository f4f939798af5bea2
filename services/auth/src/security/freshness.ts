import { insufficientUserAuthentication } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Clock } from '@itsm/shared/base/time/clock';

/** How long after sign-in a person may change access without signing in again. */
const freshMilliseconds = 30 * 60_000;

export const isFresh = (authenticatedAt: Date, at: Date): boolean =>
  at.getTime() - authenticatedAt.getTime() < freshMilliseconds;

/**
 * Throws for a person who must sign in again first (RFC 9470). For personal access tokens, and for tokens of an
 * application without a person, only the scopes decide: no sign-in belongs to them.
 */
export const freshnessCheck =
  (now: Clock) =>
  ({ kind, authenticatedAt }: Pick<Caller, 'kind' | 'authenticatedAt'>): void => {
    if (kind === 'access' && !(authenticatedAt && isFresh(authenticatedAt, now())))
      throw insufficientUserAuthentication(freshMilliseconds / 1_000);
  };
