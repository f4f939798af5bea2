import { isOwnPath } from '../sessions/own-path';
import { waitingIdOf } from './waiting-requests';

const profile = '/oauth/profile';
const pages = /^\/oauth\/(administration\/|profile)/;

/** Where to go after sign-in: an authorization request that waits, or a page of this service. Never another site. */
export function nextPageOf(given: unknown): string {
  if (typeof given !== 'string') return profile;
  const isOurs = waitingIdOf(given) !== undefined || isOwnPath(given, pages);
  return isOurs ? given : profile;
}
