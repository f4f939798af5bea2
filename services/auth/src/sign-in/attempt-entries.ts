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
 * Entries of sign-in in the security logs: one for each attempt and each person whose password was compared, for unknown people
 * as for known ones. Where several people have the address, the attempt cannot be assigned to one: each of their accounts gets the
 * entry, but without network and browser, unless the person has signed in with this browser before.
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

/** Without the address that was typed: people sometimes type the password there. */
const unknown = { because: 'no such person' };
