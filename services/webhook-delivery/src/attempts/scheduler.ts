import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { parseLine } from '../deliveries/delivery';
import type { Delivery, Lane, Lease } from '../deliveries/delivery';
import type { HostGate, Slot } from '../hosts/host-gate';
import type { Launcher } from './launcher';
import type { Lines } from './lines';
import type { Recorder } from './recorder';
import { lostAttempt, retryDelay, wasLostBefore } from './verdict';
import type { Claimed, ScheduleRepository } from '../deliveries/delivery-schedule.repository';

interface Dependencies {
  readonly schedule: ScheduleRepository;
  readonly lines: Lines;
  readonly gate: HostGate;
  readonly launcher: Launcher;
  readonly record: Recorder;
  readonly onLost: () => void;
  readonly lease: () => Promise<Lease>;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
  readonly sweepMilliseconds: number;
}

/**
 * Claims due deliveries from the store and starts their attempts while slots are free: first attempts before retries,
 * destinations in turn (round robin).
 */
export interface Scheduler {
  start(): void;
  /** Wakes the scheduler: something may be due, or a slot is free again. */
  nudge(): void;
  /** Stops claiming; resolves when the running round has ended. */
  stop(): Promise<void>;
}

const linesPerSweep = 500;
const claimedAtOnce = 50;
/** Back-off when idle: at most every fourth poll queries the store, so deliveries of other processes are found that much later. */
const mostPatience = 4;

export function createScheduler(dependencies: Dependencies): Scheduler {
  const { schedule, lines, gate, launcher, record, onLost, lease, logger, now, random, sweepMilliseconds } =
    dependencies;
  let started = false;
  let stopped = false;
  let again = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Cursor: where the last sweep ended and the next one continues. */
  let sweptTo = '';
  let sweepWanted = false;
  let patience = 1;
  let pollsSinceSweep = 0;

  /** Pages through the lines in the store, to find due work that other processes have left. */
  async function sweep(): Promise<void> {
    const isFromStart = sweptTo === '';
    for (let count = 0; count < linesPerSweep && !stopped; count += 1) {
      const found = await schedule.lineAfter(sweptTo);
      sweptTo = found?.line ?? '';
      if (!found) {
        patience = isFromStart && count === 0 ? Math.min(patience * 2, mostPatience) : 1;
        return;
      }
      lines.note(found.line, found.dueAt.getTime());
    }
    patience = 1;
  }

  async function serveAll(lane: Lane): Promise<boolean> {
    let served = false;
    for (const line of lines.due(lane, now().getTime())) {
      if (stopped) break;
      if (gate.hasRoom(lane)) served = (await serve(line)) || served;
      else lines.servedToEnd(line, false);
    }
    return served;
  }

  /** Serves one line; true when every slot was used, so that more may be due. */
  async function serve(line: string): Promise<boolean> {
    const { destination, lane } = parseLine(line);
    const slots = gate.take(destination, lane, claimedAtOnce);
    if (slots.length === 0) {
      lines.servedToEnd(line, false);
      return false;
    }
    lines.serve(line);
    const most = slots.length;
    try {
      const claimed = await schedule.claim(line, now(), lease, most);
      await Promise.all(claimed.map((claim) => begin(claim, slots)));
      lines.servedToEnd(line, claimed.length < most);
      if (claimed.length === most) return true;
      const noted = lines.notes(line);
      lines.correct(line, (await schedule.firstDue(line))?.getTime(), noted);
      return false;
    } finally {
      // Return unused slots.
      for (const slot of slots.splice(0)) slot.leave(undefined);
    }
  }

  async function begin(claimed: Claimed, slots: Slot[]): Promise<void> {
    const { delivery, lostFence } = claimed;
    if (launcher.adopt(claimed)) {
      logger.warn('a lease ran out during its attempt and was renewed', { deliveryId: delivery.id });
      return;
    }
    const slot = slots.pop();
    if (!slot) return;
    try {
      const ready = lostFence === undefined ? delivery : await afterLoss(delivery, lostFence);
      if (ready) launcher.launch(ready, slot);
      else slot.leave(undefined);
    } catch (error) {
      slot.leave(undefined);
      throw error;
    }
  }

  /** The delivery with its lost attempt, to be attempted now; undefined when the next attempt must wait, or the delivery is given up. */
  async function afterLoss(delivery: Delivery, fence: number): Promise<Delivery | undefined> {
    onLost();
    const lost = lostAttempt(delivery, fence, now());
    logger.warn('the process of an attempt has died', { deliveryId: delivery.id, number: lost.number });
    const delay = retryDelay(lost.number, { refused: false, retryAfter: undefined }, random);
    if (!wasLostBefore(delivery) && delay !== undefined) {
      await schedule.recordLoss(delivery, lost);
      return { ...delivery, attempts: [...delivery.attempts, lost] };
    }
    const verdict =
      delay === undefined
        ? ({ kind: 'given up' } as const)
        : ({ kind: 'retry', at: new Date(now().getTime() + delay) } as const);
    // With our own fence, because this write releases our lease.
    await record(() => ({ delivery, attempt: { ...lost, fence: delivery.fence }, verdict, now: now() }));
    return undefined;
  }

  async function work(): Promise<void> {
    while (again && !stopped) {
      again = false;
      try {
        if (sweepWanted) {
          sweepWanted = false;
          await sweep();
        }
        const more = [await serveAll('first'), await serveAll('retry')];
        again ||= more.includes(true);
      } catch (error) {
        // Retry at the next poll, not at once.
        again = false;
        logger.warn('due deliveries could not be claimed', { error });
      }
    }
  }

  function nudge(): void {
    again = true;
    if (running || stopped || !started) return;
    running = work().finally(() => {
      running = undefined;
      if (again) nudge();
    });
  }

  function poll(): void {
    pollsSinceSweep += 1;
    if (pollsSinceSweep >= patience) {
      pollsSinceSweep = 0;
      sweepWanted = true;
    }
    nudge();
    // Jitter, so that replicas started together do not poll together.
    timer = setTimeout(poll, sweepMilliseconds * (0.75 + Math.random() / 2));
  }

  return {
    start() {
      started = true;
      poll();
    },
    nudge,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
