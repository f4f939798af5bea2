import type { Account } from '../directory/account';
import type { Person } from '../directory/person';

/** A browser in which a person signed in; only digests of what its cookie holds are stored. */
export interface Session {
  /** The digest that it began with, which stays: what tokens that end with the session name. */
  readonly id: string;
  /** Of what the cookie holds now; another one each time the person has signed in again. */
  readonly digest: string;
  readonly accountId: string;
  readonly personId: number;
  /** Of the password it began with; it ends when another is set. */
  readonly passwordSalt: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** When the person last showed who they are; some changes ask for that again. */
  readonly authenticatedAt: Date;
  /** When the identity provider last said, to this session, that it is the person; signing in again uses it up. */
  readonly vouchedAt: Date | null;
  /** As a person recognizes it, `Firefox 144 on Linux`; empty when it is not known. */
  readonly browser: string;
  /** Where it was last seen. */
  readonly ip: string | null;
  /** The end however much it is used. */
  readonly expiresAt: Date;
}

/** Every setting of a password makes a new salt, also of the same one. */
export const saltOf = ({ password }: Person): string | null => password?.salt ?? null;

/** Compared at every use: a session that began while the password was being set ends as well. */
export const hasSamePassword = (person: Person, { passwordSalt }: Session): boolean => saltOf(person) === passwordSalt;

export const sessionMilliseconds = 7 * 86_400_000;
/** Of one that began at an identity provider: who was signed out there, or has left, is asked there again on the next day. */
export const providerSessionMilliseconds = 12 * 3_600_000;
export const idleMilliseconds = 8 * 3_600_000;
/** How exactly `lastSeenAt` is kept. */
export const seenMilliseconds = 5 * 60_000;

/** How long after the identity provider has said so the person goes on with what they wanted to change. */
export const vouchedMilliseconds = 10 * 60_000;

/** The viewer of a page: `cookie` is the raw session id, `signedIn` is there after sign-in. */
export interface Visitor {
  readonly cookie: string | undefined;
  readonly signedIn: SignedIn | undefined;
  /** Whether somebody is signed in for whom nothing counts before a page has had an answer. */
  readonly isHeldUp?: true;
}

export interface SignedIn {
  readonly sessionId: string;
  readonly sessionDigest: string;
  /** When the session ends however much it is used. */
  readonly expiresAt: Date;
  readonly authenticatedAt: Date;
  readonly vouchedAt: Date | null;
  readonly person: Person;
  /** The person's own. */
  readonly account: Account;
}
