import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Runner } from '@itsm/shared/running/module';
import { trashDays } from '../record-types/life-cycle';
import type { RecordType } from '../record-types/record-type';
import type { SetAsideRepository } from './set-aside.repository';

interface Dependencies {
  readonly types: readonly RecordType[];
  readonly aside: SetAsideRepository;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Deletes what has been in the trash for 30 days. Several processes may do it at once: each step can be repeated. */
export interface TrashEmptier extends Runner {
  /** Deletes all that is due; returns how many records. */
  work(): Promise<number>;
}

const hour = 3_600_000;
export const trashMilliseconds = trashDays * 24 * hour;

export function createTrashEmptier({ types, aside, logger, now }: Dependencies): TrashEmptier {
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<unknown> = Promise.resolve();
  let stopping = false;

  async function work(): Promise<number> {
    const since = new Date(now().getTime() - trashMilliseconds);
    let removed = 0;
    for (const type of types)
      for (let some = Infinity; some > 0 && !stopping; removed += some) some = await aside.removeSome(type, since);
    return removed;
  }

  const tick = (): void => {
    working = working.then(work).catch((error: unknown) => {
      logger.warn('the trash could not be emptied and waits for the next try', { error });
    });
  };

  return {
    work,
    start() {
      tick();
      timer = setInterval(tick, hour);
      timer.unref();
    },
    async stop() {
      stopping = true;
      clearInterval(timer);
      await working;
    },
  };
}
