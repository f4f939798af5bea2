import { randomBytes } from 'node:crypto';
import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { AccountRepository } from '../directory/account.repository';
import { vouchesFor } from '../directory/standing';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import { idleMilliseconds, seenMilliseconds, sessionMilliseconds } from './session';
import type { Session, Visitor } from './session';
import type { SessionRepository } from './session.repository';

interface Dependencies {
  readonly sessions: SessionRepository;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly now: Clock;
}

export interface SessionService {
  /** Not signed in when the session has ended, the password was reset, or the person or the account was disabled. */
  identify(cookie: string | undefined): Promise<Visitor>;
  /** Starts a session under a new id, whatever id the browser had before; returns the id. */
  begin(accountId: string, person: Person, former: string | undefined): Promise<string>;
  end(cookie: string): Promise<void>;
}

export const newSessionId = (): string => randomBytes(32).toString('base64url');

/** Every setting of a password makes a new salt, also of the same one. */
const saltOf = ({ password }: Person): string | null => password?.salt ?? null;

// Compared at every use: a session that began while the password was being set ends as well.
const hasSamePassword = (person: Person, { passwordSalt }: Session): boolean => saltOf(person) === passwordSalt;

export function createSessionService({ sessions, people, accounts, now }: Dependencies): SessionService {
  const isOver = (session: Session, at: Date): boolean =>
    session.expiresAt <= at || at.getTime() - session.lastSeenAt.getTime() >= idleMilliseconds;

  return {
    async identify(cookie: string | undefined): Promise<Visitor> {
      const session = cookie === undefined ? undefined : await sessions.find(digestOf(cookie));
      if (!session || isOver(session, now())) return { cookie, signedIn: undefined };
      const [person, account] = await Promise.all([
        people.find(session.accountId, session.personId),
        accounts.find(session.accountId),
      ]);
      if (!person || !hasSamePassword(person, session) || !vouchesFor(person, session.createdAt))
        return { cookie, signedIn: undefined };
      if (!account || !vouchesFor(account, session.createdAt)) return { cookie, signedIn: undefined };
      const at = now();
      if (at.getTime() - session.lastSeenAt.getTime() > seenMilliseconds) await sessions.touch(session.digest, at);
      return { cookie, signedIn: { sessionDigest: session.digest, person } };
    },
    async begin(accountId: string, person: Person, former: string | undefined): Promise<string> {
      const id = newSessionId();
      const at = now();
      const expiresAt = new Date(at.getTime() + sessionMilliseconds);
      await sessions.insert({
        digest: digestOf(id),
        accountId,
        personId: person.id,
        passwordSalt: saltOf(person),
        createdAt: at,
        lastSeenAt: at,
        expiresAt,
      });
      if (former !== undefined) await sessions.delete(digestOf(former));
      return id;
    },
    async end(cookie: string): Promise<void> {
      await sessions.delete(digestOf(cookie));
    },
  };
}
