import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { readTime, writeTime } from '@itsm/shared/base/time/time-text';
import { longestNext } from '../sessions/own-path';
import type { AuthorizationRequest } from './authorization-request';
import { createCarried } from './carried';

/**
 * Keeps authorization requests while people sign in: sealed, inside the URL of the page to return to. Not stored,
 * because anybody can send such requests, which would fill the store or displace each other. The id needs no
 * percent-encoding, so it is hardly longer than the request itself.
 */
export interface WaitingRequests {
  /** The id of the request, valid for an hour. */
  keep(request: AuthorizationRequest): string;
  /**
   * Undefined for a forged id, or one older than an hour. A request that needs a new sign-in also ends an hour after it was first kept: pages
   * keep it again, and a sign-in since then would otherwise answer `max_age` and `prompt=login` for as long as the session lasts.
   */
  find(id: string): AuthorizationRequest | undefined;
}

const form = /^[\da-f]{8}\.[\w-]+$/;
const how = { context: 'authorization request', milliseconds: 3_600_000 };

/** The JSON form. */
type Carried = Omit<AuthorizationRequest, 'signInAfter'> & { readonly signInAfter?: string };

export function createWaitingRequests(sealer: Sealer, now: Clock): WaitingRequests {
  const carried = createCarried<Carried>(sealer, now, how);
  return {
    keep: ({ signInAfter, ...request }) =>
      carried.pack({ ...request, ...(signInAfter && { signInAfter: writeTime(signInAfter) }) }),
    find(id) {
      const found = form.test(id) ? carried.unpack(id) : undefined;
      if (!found) return undefined;
      const { signInAfter, ...request } = found;
      if (signInAfter === undefined) return request;
      const since = readTime(signInAfter);
      const isOver = now().getTime() - since.getTime() >= how.milliseconds;
      return isOver ? undefined : { ...request, signInAfter: since };
    },
  };
}

/** The page that resumes a waiting request after sign-in. */
export const toWaitingPage = (id: string): string => `/oauth/authorize/${id}`;

/** The request that waits in a page to go to after the sign-in. */
export function waitingIn(waiting: WaitingRequests, next: string): AuthorizationRequest | undefined {
  const id = waitingIdOf(next);
  return id === undefined ? undefined : waiting.find(id);
}

export function waitingIdOf(page: string): string | undefined {
  if (page.length > longestNext) return undefined;
  const [, id = ''] = /^\/oauth\/authorize\/([^/]+)$/.exec(page) ?? [];
  return form.test(id) ? id : undefined;
}
