import { networkOf } from '@itsm/shared/base/ids/network';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Person } from '../directory/person';
import { noAccount } from '../security/audit-entry';
import type { AuditFacts } from '../security/audit-entry';
import type { Audit } from '../security/audit.service';
import type { Asked, Candidate } from './candidates';

type Attempt = Pick<Asked, 'accountId' | 'knownBrowserOf'> & { readonly ip: string };

const quarterMilliseconds = 15 * 60_000;

/**
 * Writes the security log entries of sign-in: one per attempt and person whose password was compared, and one per
 * attempt for unknown people too. If several people have the address, the attempt cannot be assigned to one. Then each
 * of their accounts gets an entry without network and browser, except for a person who has signed in with this browser
 * before.
 */
export const createAttemptEntries = (audit: Audit, now: Clock) => ({
  succeeded: (person: Person, facts: AuditFacts): Promise<void> =>
    audit.record(person.accountId, { event: 'sign_in.succeeded', person, actor: person, facts }),
  async failed(attempt: Attempt, candidates: readonly Candidate[], matches: readonly Person[]): Promise<void> {
    if (candidates.length === 0) {
      await audit.record(accountOf(attempt), { event: 'sign_in.failed', facts: unknown });
    }
    for (const { person } of candidates) {
      const isRight = matches.some(({ id }) => id === person.id);
      const facts = { because: isRight ? 'the person or the account is disabled' : 'wrong password' };
      const withoutOrigin = isHidden(attempt, candidates, person);
      await audit.record(person.accountId, { event: 'sign_in.failed', person, facts, withoutOrigin });
    }
  },
  /**
   * Once in a quarter of an hour per network and person, so that guessing does not fill the store. Unknown addresses
   * share one counter, so that invented ones cannot flood an account's log.
   */
  async throttled(attempt: Attempt, candidates: readonly Candidate[]): Promise<void> {
    const quarter = String(Math.floor(now().getTime() / quarterMilliseconds));
    const network = networkOf(attempt.ip);
    if (candidates.length === 0) {
      const once = [network, 'nobody', quarter];
      await audit.record(accountOf(attempt), { event: 'sign_in.throttled', facts: unknown, once });
    }
    for (const { person } of candidates) {
      const once = [network, String(person.id), quarter];
      const withoutOrigin = isHidden(attempt, candidates, person);
      await audit.record(person.accountId, { event: 'sign_in.throttled', person, once, withoutOrigin });
    }
  },
});

const isHidden = ({ knownBrowserOf }: Attempt, candidates: readonly Candidate[], person: Person): boolean =>
  candidates.length > 1 && knownBrowserOf(person) === undefined;

/** The account that the attempt named. It is not looked up, since the time would reveal whether it exists. */
const accountOf = ({ accountId = noAccount }: Attempt): string =>
  /^[a-z0-9][a-z0-9-]{0,62}$/.test(accountId) ? accountId : noAccount;

/** Does not contain the typed address, because people sometimes type the password there. */
const unknown = { because: 'no such person' };
