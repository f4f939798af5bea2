import { isOwnPath } from '../sessions/own-path';
import { waitingIdOf } from './waiting-requests';

const profile = '/oauth/profile';
const pages = /^\/oauth\/(administration\/|profile)/;

/** The page after sign-in: a waiting authorization request, or a page of this service. Never another site (open redirect). */
export function nextPageOf(given: unknown): string {
  if (typeof given !== 'string') return profile;
  const isOurs = waitingIdOf(given) !== undefined || isOwnPath(given, pages);
  return isOurs ? given : profile;
}
