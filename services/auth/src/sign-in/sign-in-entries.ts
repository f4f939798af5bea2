import type { Clock } from '@itsm/shared/base/time/clock';
import { noAccount } from '../security/audit-entry';
import type { Audit } from '../security/audit.service';
import type { Person } from '../directory/person';
import { networkOf } from '@itsm/shared/base/ids/network';

interface Attempt {
  readonly accountId: string | undefined;
  readonly ip: string;
}

const quarterMilliseconds = 15 * 60_000;

/** What sign-in leaves in the security log: one entry per attempt, for unknown people as for known ones. */
export const attemptEntries = (audit: Audit, now: Clock) => ({
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
