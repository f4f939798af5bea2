import { insufficientUserAuthentication } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Clock } from '@itsm/shared/base/time/clock';

/** How long after signing in a person may change what gives access without signing in again. */
const freshMilliseconds = 30 * 60_000;

export const isFresh = (authenticatedAt: Date, at: Date): boolean =>
  at.getTime() - authenticatedAt.getTime() < freshMilliseconds;

/**
 * Lets a token make `change` while the person who signed in for it has done so lately (RFC 9470). Personal access tokens and
 * those that an application got by itself have nobody who could sign in: their scopes alone decide.
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
