import type { Rests } from '@itsm/shared/base/concurrency/rests';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { accountsHeldBack, eventsHeldBack } from '@itsm/shared/observing/metrics/metrics';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Gone, Lease, Presence } from '@itsm/shared/stores/presence/presence';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AccountPace } from './account-pace';
import type { FanOut } from './fan-out.service';
import type { WaitingEvent, WaitingEventRepository } from './waiting-event.repository';

interface Dependencies {
  readonly store: WaitingEventRepository;
  readonly pace: AccountPace;
  readonly fanOut: FanOut;
  readonly presence: Presence;
  readonly rests: Rests;
  readonly logger: Logger;
  readonly now: Clock;
  /** The interval at which accounts with waiting events are looked at while none of them may go on. */
  readonly turnMilliseconds: number;
}

/**
 * Events of accounts that have used up their pace. They wait in the store, not at the broker, so that no event of
 * another account is behind them.
 */
export interface WaitingEvents {
  /** Takes an event from the broker: what its accounts may request now is requested, the rest waits. */
  arrive(change: RecordChanged): Promise<void>;
  start(): void;
  /** Resolves when the events in hand are done; other processes take the rest. */
  stop(): Promise<void>;
}

/** `held`: it had more deliveries than were left, after those before it. */
interface Outcome {
  readonly kind: 'done' | 'held' | 'failed';
  readonly deliveries: number;
}

const eventsAtOnce = 200;
const leaseMilliseconds = 60_000;
const retryMilliseconds = 60_000;
/** So many turns pass between looks at the store for what other processes have left. */
const turnsOfALook = 50;

export function createWaitingEvents(dependencies: Dependencies): WaitingEvents {
  const { store, pace, fanOut, presence, rests, logger, now, turnMilliseconds } = dependencies;
  /** Accounts with waiting events, in turn, with the deliveries of their last event; undefined while not known. */
  const behind = new Map<string, number | undefined>();
  let stopping = false;
  let sinceLook = turnsOfALook;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function fallBehind(accountId: string): void {
    if (!behind.has(accountId)) behind.set(accountId, undefined);
  }

  const isOnPace = (accountId: string): boolean => !behind.has(accountId) && pace.left(accountId) > 0;

  function spend(accountId: string, deliveries: number): boolean {
    if (pace.left(accountId) <= 0) return false;
    pace.spend(accountId, deliveries);
    return true;
  }

  async function wait(change: RecordChanged, accountId: string): Promise<void> {
    if (!behind.has(accountId))
      logger.info('an account has more deliveries than its pace, and its events wait', { accountId });
    fallBehind(accountId);
    await store.add(change, accountId, now());
    eventsHeldBack.inc();
    // Those before it may have been done in the meantime.
    fallBehind(accountId);
  }

  async function request({ id, accountId, change }: WaitingEvent): Promise<Outcome> {
    let deliveries = 0;
    try {
      const held = await fanOut(change, [accountId], (_account, count) => {
        deliveries = count;
        return spend(accountId, count);
      });
      return { kind: held.length > 0 ? 'held' : 'done', deliveries };
    } catch (error) {
      logger.error('a waiting event could not be fanned out and is tried again', { id, accountId, error });
      return { kind: 'failed', deliveries };
    }
  }

  /** As many events as the account may have by the deliveries of its last one, and at least one. */
  async function serve(accountId: string, ofLast = Infinity): Promise<void> {
    const most = Math.min(eventsAtOnce, Math.max(1, Math.floor(pace.left(accountId) / Math.max(1, ofLast))));
    const oldest = {
      isDue: (at: Date, gone: Gone) => store.isDue(accountId, at, gone),
      claim: (at: Date, gone: Gone, lease: Lease) => store.claim(accountId, most, at, gone, lease),
    };
    const events = await presence.claim(oldest, leaseMilliseconds, now);
    const [first] = events ?? [];
    if (!events || !first) {
      behind.delete(accountId);
      return;
    }
    const outcomes = await Promise.all(events.map(request));
    const idsOf = (kind: Outcome['kind']) =>
      events.filter((_event, index) => outcomes[index]?.kind === kind).map(({ id }) => id);
    await store.remove(accountId, idsOf('done'));
    // They stay before those that arrived after them.
    await store.postpone(accountId, idsOf('held'), first.dueAt);
    await store.postpone(accountId, idsOf('failed'), new Date(now().getTime() + retryMilliseconds));
    behind.delete(accountId);
    behind.set(accountId, Math.max(...outcomes.map(({ deliveries }) => deliveries)));
  }

  async function lookForMore(): Promise<void> {
    sinceLook += 1;
    if (sinceLook <= turnsOfALook) return;
    sinceLook = 0;
    for (const accountId of await store.accounts()) fallBehind(accountId);
  }

  /** Some events of each account that may request deliveries again; true when there were any. */
  async function takeTurn(): Promise<boolean> {
    await lookForMore();
    accountsHeldBack.set(behind.size);
    let served = false;
    for (const [accountId, ofLast] of [...behind]) {
      if (stopping || pace.left(accountId) <= 0) continue;
      // The last in turn from now on, so that none is behind one that fails.
      behind.delete(accountId);
      behind.set(accountId, ofLast);
      await rests.after(() => serve(accountId, ofLast));
      served = true;
    }
    return served;
  }

  function runTurns(): void {
    running = takeTurn()
      .catch((error: unknown) => void logger.warn('waiting events could not be taken', { error }))
      .then((served) => {
        if (!stopping) timer = setTimeout(runTurns, served ? 0 : turnMilliseconds);
      });
  }

  presence.onGone(() => void (sinceLook = turnsOfALook));
  return {
    async arrive(change) {
      const accounts = [...new Set(change.visibleTo)];
      const onPace = accounts.filter(isOnPace);
      const held =
        onPace.length > 0 || accounts.length === 0
          ? await fanOut(change, onPace, (accountId, count) => !behind.has(accountId) && spend(accountId, count))
          : [];
      const late = accounts.filter((accountId) => !onPace.includes(accountId) || held.includes(accountId));
      await Promise.all(late.map((accountId) => wait(change, accountId)));
    },
    start: runTurns,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      rests.end();
      await running;
    },
  };
}
