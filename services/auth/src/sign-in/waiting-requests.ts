import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { longestNext } from '../sessions/own-path';
import type { AuthorizationRequest } from './authorization-request';
import { createCarried } from './carried';

/**
 * Lets authorization requests wait while people sign in: in the address of the page that they come back to. Anybody may send such
 * requests, so that to store them would fill the store, or make one wait in the place of another. What waits grows by no percent
 * sign, as a request inside the address of another would, and is hardly longer than the request itself.
 */
export interface WaitingRequests {
  /** Its id, good for an hour. */
  keep(request: AuthorizationRequest): string;
  /** Undefined for what is no id of ours, or is an hour old. */
  find(id: string): AuthorizationRequest | undefined;
}

const form = /^[\da-f]{8}\.[\w-]+$/;
const how = { context: 'authorization request', milliseconds: 3_600_000 };

/** As JSON leaves it. */
type Carried = Omit<AuthorizationRequest, 'signInAfter'> & { readonly signInAfter?: string };

export function createWaitingRequests(sealer: Sealer, now: Clock): WaitingRequests {
  const carried = createCarried<Carried>(sealer, now, how);
  return {
    keep: ({ signInAfter, ...request }) =>
      carried.pack({ ...request, ...(signInAfter && { signInAfter: signInAfter.toISOString() }) }),
    find(id) {
      const found = form.test(id) ? carried.unpack(id) : undefined;
      if (!found) return undefined;
      const { signInAfter, ...request } = found;
      return { ...request, ...(signInAfter !== undefined && { signInAfter: new Date(signInAfter) }) };
    },
  };
}

/** The page that makes a waiting request again, for the person who is signed in by then. */
export const toWaitingPage = (id: string): string => `/oauth/authorize/${id}`;

export function waitingIdOf(page: string): string | undefined {
  if (page.length > longestNext) return undefined;
  const [, id = ''] = /^\/oauth\/authorize\/([^/]+)$/.exec(page) ?? [];
  return form.test(id) ? id : undefined;
}
