import type { AuthorizationRequest } from './authorization-request';

/** A question that one person is being asked in one session; answered once, within ten minutes. */
export interface Consent {
  readonly id: string;
  readonly sessionDigest: string;
  readonly accountId: string;
  readonly personId: number;
  readonly request: AuthorizationRequest;
  /** Of the request, so that another person can sign in and answer it. */
  readonly waitingId: string;
  /** Of the scopes that the page showed. */
  readonly scopesVersion: number;
  readonly expiresAt: Date;
}

export const consentMilliseconds = 10 * 60_000;
