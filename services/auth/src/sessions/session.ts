import type { Person } from '../directory/person';

/** A browser in which a person signed in; only the digest of its id is stored. */
export interface Session {
  readonly digest: string;
  readonly accountId: string;
  readonly personId: number;
  /** Of the password it began with; it ends when another is set. */
  readonly passwordSalt: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** The end however much it is used. */
  readonly expiresAt: Date;
}

export const sessionMilliseconds = 7 * 86_400_000;
export const idleMilliseconds = 8 * 3_600_000;
/** How exactly `lastSeenAt` is kept. */
export const seenMilliseconds = 5 * 60_000;

/** The viewer of a page: `cookie` is the raw session id, `signedIn` is there after sign-in. */
export interface Visitor {
  readonly cookie: string | undefined;
  readonly signedIn: SignedIn | undefined;
}

export interface SignedIn {
  readonly sessionDigest: string;
  readonly person: Person;
}
