import { randomUUID } from 'node:crypto';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { DepartureRepository } from './departure.repository';
import type { PersonRepository } from './person.repository';

/** Longer than any write takes. Older entries are from processes that died. */
const staleMilliseconds = 60_000;

interface Dependencies {
  readonly departures: DepartureRepository;
  readonly people: PersonRepository;
  readonly now: Clock;
}

/**
 * Runs `leave`, by which the person stops administering `accountIds`. Returns undefined, without running it, when an
 * account would have no administrator left. People who leave concurrently queue up in one document per account, and
 * each counts those before them as gone. So of the last two administrators exactly one can leave.
 */
export type LeaveAdministration = <T>(
  accountIds: readonly string[],
  personId: number,
  leave: () => Promise<T>,
) => Promise<T | undefined>;

export function createLeaveAdministration({ departures, people, now }: Dependencies): LeaveAdministration {
  async function isLast(accountId: string, id: string, personId: number): Promise<boolean> {
    const at = now();
    const queue = await departures.announce(accountId, { id, personId, at });
    const isStale = (departure: { at: Date }) => at.getTime() - departure.at.getTime() > staleMilliseconds;
    const stale = queue.filter(isStale).map((departure) => departure.id);
    if (stale.length > 0) await departures.remove(accountId, stale);
    const leaving = queue.filter((departure) => !isStale(departure)).map((departure) => departure.personId);
    return !(await people.hasOtherAdministrator(accountId, leaving));
  }

  return async (accountIds, personId, leave) => {
    if (accountIds.length === 0) return leave();
    const id = randomUUID();
    try {
      for (const accountId of accountIds) if (await isLast(accountId, id, personId)) return undefined;
      return await leave();
    } finally {
      for (const accountId of accountIds) await departures.remove(accountId, [id]);
    }
  };
}
