import { randomUUID } from 'node:crypto';
import { networkOf } from '@itsm/shared/base/ids/network';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Origin } from '../security/audit-entry';
import type { AuthorizationRequest } from './authorization-request';
import type { WaitingRequestRepository } from './waiting-request.repository';

/**
 * Keeps authorization requests while people sign in. Pages pass the short id on: a request inside the address of
 * another would grow with every percent sign in it, beyond what an address may have.
 */
export interface WaitingRequests {
  /** For an hour, unless its network has sent twenty more meanwhile. */
  keep(request: AuthorizationRequest): Promise<string>;
  /** Undefined when the id is unknown, or the request is an hour old. */
  find(id: string): Promise<AuthorizationRequest | undefined>;
}

const waitingMilliseconds = 3_600_000;

export const createWaitingRequests = (
  waitingRequests: WaitingRequestRepository,
  presentOrigin: () => Origin | undefined,
  now: Clock,
): WaitingRequests => ({
  async keep(request) {
    const id = randomUUID();
    const network = networkOf(presentOrigin()?.ip ?? '');
    await waitingRequests.insert({ id, request, network, expiresAt: new Date(now().getTime() + waitingMilliseconds) });
    return id;
  },
  find: (id) => waitingRequests.find(id, now()),
});

/** The page that makes a waiting request again, for the person who is signed in by then. */
export const toWaitingPage = (id: string): string => `/oauth/authorize/${id}`;

export const waitingIdOf = (page: string): string | undefined => /^\/oauth\/authorize\/([\da-f-]{36})$/.exec(page)?.[1];
