import type { ApplicationRepository } from '../clients/application.repository';
import type { Application } from '../clients/application';
import { toQuery } from './authorization-request';
import { checkTarget } from './check-target';
import { waitingIdOf } from './waiting-requests';
import type { WaitingRequests } from './waiting-requests';

const profile = '/oauth/profile';

/** Where to go after sign-in: an authorization request that waits, a page for administrators, or the profile. Never another site. */
export function nextPageOf(given: unknown): string {
  if (typeof given !== 'string') return profile;
  const isOurs = waitingIdOf(given) !== undefined || /^\/oauth\/administration\/[\x21-\x7e]*$/.test(given);
  return isOurs ? given : profile;
}

/** The application whose authorization request waits behind `next`. */
export async function waitingApplication(
  applications: ApplicationRepository,
  waiting: WaitingRequests,
  next: string,
): Promise<Application | undefined> {
  const id = waitingIdOf(next);
  const request = id === undefined ? undefined : await waiting.find(id);
  if (!request) return undefined;
  try {
    return (await checkTarget(applications, toQuery(request))).client.application;
  } catch {
    // The authorization request itself will say what is wrong with it.
    return undefined;
  }
}
