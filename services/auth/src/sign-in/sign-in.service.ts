import { createSlots } from '@itsm/shared/base/concurrency/slots';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { noAccount } from '../security/audit-entry';
import type { Audit } from '../security/audit.service';
import type { AccountRepository } from '../directory/account.repository';
import type { Passwords } from '../directory/password';
import { emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import type { SessionService } from '../sessions/session.service';
import type { Attempts } from '../security/attempts';
import { networkOf } from '../security/network';

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The account to look in first, then in its directory account; without one, or in vain, in any account. */
  readonly accountId: string | undefined;
  /** Address of the browser. */
  readonly ip: string;
  /** The name of the browser, when the person has signed in there before. */
  readonly knownBrowser: string | undefined;
  /** The session id that the browser came with. */
  readonly cookie: string | undefined;
}

export type SignInOutcome =
  | { readonly kind: 'signed in'; readonly sessionId: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly seconds: number };

type Checked =
  | { readonly kind: 'throttled'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly person: Person | undefined; readonly matches: boolean }
  | { readonly kind: 'right'; readonly person: Person };

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly passwords: Passwords;
  readonly sessions: SessionService;
  readonly attempts: Attempts;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface SignInService {
  /** Unknown person, wrong password and disabled person give the same answer after the same time. */
  signIn(attempt: SignInAttempt): Promise<SignInOutcome>;
}

export function createSignInService(dependencies: Dependencies): SignInService {
  const { people, accounts, passwords, sessions, attempts, audit, logger, now } = dependencies;
  const entries = attemptEntries(audit, now);

  /** The same reads whatever is found where, so that their time gives nothing away. */
  async function find({ email, accountId = noAccount }: SignInAttempt): Promise<Person | undefined> {
    const account = await accounts.find(accountId);
    const found = await Promise.all([
      people.findByEmail(accountId, email),
      people.findByEmail(account?.directoryAccountId ?? noAccount, email),
      people.findAnywhereByEmail(email),
    ]);
    return found.find((person) => person !== undefined);
  }

  async function check(attempt: SignInAttempt): Promise<Checked> {
    const keys = keysOf(attempt);
    const [address = 0, anywhere = 0] = await Promise.all([
      attempts.secondsLeft(keys.address),
      attempts.secondsLeft(keys.anywhere),
    ]);
    // Of one person an attempt counts as failed until it has succeeded, so that many at once gain nothing.
    const seconds = Math.max(address, anywhere) || (await attempts.count(keys.person, 'person'));
    if (seconds > 0) return { kind: 'throttled', seconds };
    const person = await find(attempt);
    const matches = await passwords.verify(attempt.password, person?.password ?? null);
    // Without a person it looks for an account that does not exist, for the same time.
    const account = await accounts.find(person?.accountId ?? noAccount);
    if (!person || !matches || person.disabledAt || !account || account.disabledAt) {
      await Promise.all([attempts.count(keys.address, 'address'), attempts.count(keys.anywhere, 'anywhere')]);
      return { kind: 'refused', person, matches };
    }
    await attempts.forget(keys.person);
    return { kind: 'right', person };
  }

  // As few at once as passwords are hashed: who waits meanwhile meets the failures of those before.
  const slots = createSlots(2);

  return {
    async signIn(attempt: SignInAttempt): Promise<SignInOutcome> {
      const checked = await slots.run(() => check(attempt));
      if (checked.kind === 'throttled') {
        logger.info('sign-in throttled', { ip: attempt.ip, seconds: checked.seconds });
        await entries.throttled(attempt, await find(attempt));
        return checked;
      }
      if (checked.kind === 'refused') {
        const { person, matches } = checked;
        logger.info('sign-in refused', { ip: attempt.ip, personId: person?.id });
        await entries.failed(attempt, person, matches);
        return { kind: 'refused' };
      }
      const { person } = checked;
      logger.info('signed in', { accountId: person.accountId, personId: person.id });
      await entries.succeeded(person);
      return { kind: 'signed in', sessionId: await sessions.begin(person.accountId, person, attempt.cookie) };
    },
  };
}

/** What an attempt is counted under. A browser that the person has used before is not held up by what others do. */
function keysOf({ email, ip, knownBrowser }: SignInAttempt) {
  const network = networkOf(ip);
  const person = emailKeyOf(email);
  return {
    address: `address ${network}`,
    person: `person ${person} ${knownBrowser ?? network}`,
    anywhere: `anywhere ${person} ${knownBrowser ?? ''}`,
  };
}

type Attempt = Pick<SignInAttempt, 'accountId' | 'ip'>;

const quarterMilliseconds = 15 * 60_000;

/** What sign-in leaves in the security log: one entry per attempt, for unknown people as for known ones. */
const attemptEntries = (audit: Audit, now: Clock) => ({
  succeeded: (person: Person): Promise<void> =>
    audit.record(person.accountId, { event: 'sign_in.succeeded', person, actor: person }),
  failed: (attempt: Attempt, person: Person | undefined, matches: boolean): Promise<void> =>
    person
      ? audit.record(person.accountId, {
          event: 'sign_in.failed',
          person,
          facts: { because: matches ? 'the person or the account is disabled' : 'wrong password' },
        })
      : audit.record(accountOf(attempt), { event: 'sign_in.failed', facts: unknown }),
  /**
   * Once in a quarter of an hour per network and person, so that guessing does not fill the store. Unknown addresses
   * share one counter, so that invented ones cannot flood an account's log.
   */
  throttled(attempt: Attempt, person: Person | undefined): Promise<void> {
    const quarter = Math.floor(now().getTime() / quarterMilliseconds);
    const once = [networkOf(attempt.ip), person ? String(person.id) : 'nobody', String(quarter)];
    const facts = person ? {} : unknown;
    const accountId = person?.accountId ?? accountOf(attempt);
    return audit.record(accountId, { event: 'sign_in.throttled', facts, once, ...(person && { person }) });
  },
});

/** The account that was named with the attempt, existing or not: the time of a look-up would give it away. */
const accountOf = ({ accountId = noAccount }: Attempt): string =>
  /^[a-z0-9][a-z0-9-]{0,62}$/.test(accountId) ? accountId : noAccount;

/** Not the address that was typed: people type their password into the wrong field. */
const unknown = { because: 'no such person' };
