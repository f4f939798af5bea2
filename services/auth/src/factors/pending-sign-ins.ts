import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AccountRepository } from '../directory/account.repository';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import { newSessionId } from '../sessions/session.service';
import type { PendingSignIn, PendingSignInRepository } from './pending-sign-in.repository';

/** Sign-ins that wait for the second factor. Only the browser's cookie holds the id. */
export interface PendingSignIns {
  /** The new id for the browser's cookie. */
  begin(
    accountId: string,
    person: Person,
    given: Pick<PendingSignIn, 'shown' | 'atProvider' | 'next'>,
  ): Promise<string>;
  /** Undefined after ten minutes, with another password, or when the person or the account was disabled. */
  find(cookie: string): Promise<Waiting | undefined>;
  /** As `find`, and deletes it. Of concurrent calls only one gets it. */
  take(cookie: string): Promise<Waiting | undefined>;
  /** The person, unless their address is not verified, or they or their account are disabled. */
  readonly enabledPerson: (accountId: string, personId: number) => Promise<Person | undefined>;
}

export interface Waiting {
  readonly person: Person;
  readonly shown: string;
  readonly atProvider: boolean;
  readonly next: string;
}

interface Dependencies {
  readonly pending: PendingSignInRepository;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly now: Clock;
}

const pendingMilliseconds = 10 * 60_000;

export function createPendingSignIns({ pending, people, accounts, now }: Dependencies): PendingSignIns {
  async function enabledPerson(accountId: string, personId: number): Promise<Person | undefined> {
    const [person, account] = await Promise.all([people.find(accountId, personId), accounts.find(accountId)]);
    return person && account && person.verified && !person.disabledAt && !account.disabledAt ? person : undefined;
  }

  async function check(found: PendingSignIn | undefined): Promise<Waiting | undefined> {
    if (!found) return undefined;
    const { accountId, personId, passwordSalt, shown, atProvider, next } = found;
    const person = await enabledPerson(accountId, personId);
    if (!person) return undefined;
    return (person.password?.salt ?? null) === passwordSalt ? { person, shown, atProvider, next } : undefined;
  }

  return {
    async begin(accountId, person, { shown, atProvider, next }) {
      const id = newSessionId();
      await pending.insert({
        digest: digestOf(id),
        accountId,
        personId: person.id,
        passwordSalt: person.password?.salt ?? null,
        shown,
        atProvider,
        next,
        expiresAt: new Date(now().getTime() + pendingMilliseconds),
      });
      return id;
    },
    find: async (cookie) => check(await pending.find(digestOf(cookie), now())),
    take: async (cookie) => check(await pending.take(digestOf(cookie), now())),
    enabledPerson,
  };
}
