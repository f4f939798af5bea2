import { insufficientUserAuthentication } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Clock } from '@itsm/shared/base/time/clock';

/** How long after sign-in a person may change access without signing in again. */
const freshMilliseconds = 30 * 60_000;

export const isFresh = (authenticatedAt: Date, at: Date): boolean =>
  at.getTime() - authenticatedAt.getTime() < freshMilliseconds;

/**
 * Permits `change` when the person of the token has signed in lately (RFC 9470). For personal access tokens, and for tokens of an
 * application without a person, only the scopes decide: no sign-in belongs to them.
 */
export const freshly =
  (now: Clock) =>
  <Input, Result>(change: (input: Input, caller: Caller) => Promise<Result>) =>
  async (input: Input, caller: Caller): Promise<Result> => {
    const { kind, authenticatedAt } = caller;
    if (kind === 'access' && !(authenticatedAt && isFresh(authenticatedAt, now())))
      throw insufficientUserAuthentication(freshMilliseconds / 1_000);
    return change(input, caller);
  };
