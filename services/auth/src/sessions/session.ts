import type { Account } from '../directory/account';
import type { Person } from '../directory/person';

/** A browser in which a person signed in; of the cookie only digests are stored. */
export interface Session {
  /** The first digest, which does not change. Tokens that end with the session refer to it. */
  readonly id: string;
  /** The digest of the present cookie; it changes each time the person signs in again. */
  readonly digest: string;
  readonly accountId: string;
  readonly personId: number;
  /** The salt of the password at its start; a new password ends the session. */
  readonly passwordSalt: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** When the person last authenticated; some changes need a recent time. */
  readonly authenticatedAt: Date;
  /** When the identity provider last authenticated the person for this session; used up by one step-up. */
  readonly vouchedAt: Date | null;
  /** Whether a second factor was proved in it. A session without one changes nothing sensitive once the person has a factor. */
  readonly provedFactor: boolean;
  /** A short name such as `Firefox 144 on Linux`; empty when it is not known. */
  readonly browser: string;
  /** The network address of its last use. */
  readonly ip: string | null;
  /** The absolute expiry, independent of use. */
  readonly expiresAt: Date;
}

/** Setting a password makes a new salt, even when the password is the same. */
export const saltOf = ({ password }: Person): string | null => password?.salt ?? null;

/** Compared at every use, so that a session that began during a change of the password ends as well. */
export const hasSamePassword = (person: Person, { passwordSalt }: Session): boolean => saltOf(person) === passwordSalt;

export const sessionMilliseconds = 7 * 86_400_000;
/**
 * The maximum for a session that began at an identity provider: on the next day the provider is asked again whether the
 * person may still sign in.
 */
export const providerSessionMilliseconds = 12 * 3_600_000;
export const idleMilliseconds = 8 * 3_600_000;
/** The precision of `lastSeenAt`. */
export const seenMilliseconds = 5 * 60_000;

/** How long an authentication by the identity provider can be used for a step-up. */
export const vouchedMilliseconds = 10 * 60_000;

/** The viewer of a page: `cookie` is the raw session id, `signedIn` is there after sign-in. */
export interface Visitor {
  readonly cookie: string | undefined;
  readonly signedIn: SignedIn | undefined;
  /** Whether a person is signed in, but must first complete a page, such as adding a second factor. */
  readonly isHeldUp?: true;
}

export interface SignedIn {
  readonly sessionId: string;
  readonly sessionDigest: string;
  /** The absolute expiry of the session. */
  readonly expiresAt: Date;
  readonly authenticatedAt: Date;
  readonly vouchedAt: Date | null;
  readonly provedFactor: boolean;
  readonly person: Person;
  /** The person's own account. */
  readonly account: Account;
}
