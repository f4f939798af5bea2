import { createHostHealth } from './host-health';
import type { CallEnd, HostHealth, HostState } from './host-health';
import { createTally } from '@itsm/shared/base/concurrency/tally';
import { accountOfDestination, hostOfDestination } from '../deliveries/delivery';
import type { Lane } from '../deliveries/delivery';

/** A permit for one call. */
export interface Slot {
  /** Releases the permit; `end` is undefined when no call was made. */
  leave(end: CallEnd | undefined): void;
}

/**
 * Concurrency limiter and circuit breaker for outgoing calls. It limits calls in all, per host and per account, and
 * retries to a share of the slots. After a second a slow call frees its overall slot, but keeps that of its host.
 * Health is tracked per account and host, so that one account's expensive calls do not cut off others. No account can
 * take all slots, however many hosts it names.
 */
export interface HostGate {
  /**
   * A slot for a first attempt. Waits without limit while only the overall limit is reached (back-pressure). Undefined
   * when the destination itself has no free slot soon.
   */
  enter(destination: string): Promise<Slot | undefined>;
  /** Up to `wanted` free slots, without waiting. */
  take(destination: string, lane: Lane, wanted: number): Slot[];
  hasRoom(lane: Lane): boolean;
  /** Resolves all waiting and later calls of `enter` with undefined. */
  close(): void;
  calls(): number;
  /** Calls `listener` whenever a slot has become free. */
  onRoom(listener: RoomListener): void;
  /** The state of each known host: the worst over all accounts. */
  states(): ReadonlyMap<string, HostState>;
}

/** `forOthers`: the host or account of the slot was at its limit, so other destinations may be waiting too. */
type RoomListener = (destination: string, forOthers: boolean) => void;

export interface HostGateOptions {
  /** Limit of calls younger than a second. */
  readonly overall: number;
  /** Limit of calls of any age. */
  readonly open: number;
  readonly perHost: number;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
}

/** A host as called by one account. */
interface Destination {
  readonly name: string;
  readonly host: string;
  readonly account: string;
  readonly health: HostHealth;
  readonly waiting: ((slot: Slot | undefined) => void)[];
  calls: number;
  lastEnd: number;
}

const patienceMilliseconds = 250;
const longMilliseconds = 1_000;
const destinationsRemembered = 10_000;
/** An account's share of `open`. */
const shareOfAccount = 1 / 4;
const fromBestToWorst: readonly HostState[] = ['well', 'slowed', 'probing', 'open'];

export function createHostGate({ overall, open, perHost, elapsed }: HostGateOptions): HostGate {
  const destinations = new Map<string, Destination>();
  const toHost = createTally(perHost);
  const ofAccount = createTally(Math.max(1, Math.floor(open * shareOfAccount)));
  /** Limits per lane, so that neither starves the other: first attempts have priority, retries keep a share. */
  const atOnce = { first: Math.ceil(overall * 0.9), retry: Math.ceil(overall / 2) };
  const waitingOnes = new Set<Destination>();
  const young = { first: 0, retry: 0 };
  let all = 0;
  let closed = false;
  let tellRoom: RoomListener = () => undefined;

  const hasRoom = (lane: Lane): boolean =>
    !closed && all < open && young.first + young.retry < overall && young[lane] < atOnce[lane];
  const roomOf = ({ health, calls, host, account }: Destination): number =>
    Math.min(health.limit(elapsed()) - calls, toHost.left(host), ofAccount.left(account));
  /** Whether a full destination finished a call recently, so that a slot is likely to be free soon. */
  const moves = (destination: Destination): boolean =>
    destination.health.limit(elapsed()) > 0 && elapsed() - destination.lastEnd < patienceMilliseconds;

  function destinationNamed(name: string): Destination {
    const known = destinations.get(name);
    if (known) return known;
    if (destinations.size >= destinationsRemembered) forgetOne();
    const about = { name, host: hostOfDestination(name), account: accountOfDestination(name) };
    const destination = { ...about, health: createHostHealth(perHost), waiting: [], calls: 0, lastEnd: elapsed() };
    destinations.set(name, destination);
    return destination;
  }

  function forgetOne(): void {
    for (const { name, calls, waiting, health } of destinations.values()) {
      if (calls > 0 || waiting.length > 0 || !health.isOrdinary()) continue;
      destinations.delete(name);
      return;
    }
  }

  function slotOf(destination: Destination, lane: Lane): Slot {
    const { host, account } = destination;
    destination.calls += 1;
    toHost.add(host, 1);
    ofAccount.add(account, 1);
    all += 1;
    young[lane] += 1;
    let isYoung = true;
    const age = (): void => {
      if (!isYoung) return;
      isYoung = false;
      young[lane] -= 1;
    };
    const timer = setTimeout(() => {
      age();
      letIn();
      tellRoom(destination.name, false);
    }, longMilliseconds).unref();
    return {
      leave(end) {
        clearTimeout(timer);
        age();
        const forOthers = toHost.left(host) <= 0 || ofAccount.left(account) <= 0;
        destination.calls -= 1;
        toHost.add(host, -1);
        ofAccount.add(account, -1);
        all -= 1;
        if (end) {
          destination.lastEnd = elapsed();
          destination.health.note(end, elapsed());
        }
        letIn();
        tellRoom(destination.name, forOthers);
      },
    };
  }

  /** Gives free slots to waiting calls, one per destination in turn (round robin). */
  function letIn(): void {
    for (let served = true; served;) {
      served = false;
      for (const destination of [...waitingOnes]) {
        if (!hasRoom('first')) return;
        if (roomOf(destination) <= 0) continue;
        waitingOnes.delete(destination);
        waitingOnes.add(destination);
        destination.waiting.shift()?.(slotOf(destination, 'first'));
        served = true;
      }
    }
  }

  function wait(destination: Destination): Promise<Slot | undefined> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (slot: Slot | undefined): void => {
        clearTimeout(timer);
        if (destination.waiting.length === 0) waitingOnes.delete(destination);
        resolve(slot);
      };
      const ask = (): void => {
        // The overall limit is the cause: keep waiting, so that the broker gets back-pressure.
        if (roomOf(destination) > 0 && !closed) timer = setTimeout(ask, patienceMilliseconds);
        else {
          destination.waiting.splice(destination.waiting.indexOf(settle), 1);
          settle(undefined);
        }
      };
      destination.waiting.push(settle);
      waitingOnes.add(destination);
      timer = setTimeout(ask, patienceMilliseconds);
    });
  }

  return {
    hasRoom,
    async enter(name) {
      const destination = destinationNamed(name);
      if (closed) return undefined;
      if (destination.waiting.length === 0 && hasRoom('first') && roomOf(destination) > 0)
        return slotOf(destination, 'first');
      if (roomOf(destination) <= 0 && !moves(destination)) return undefined;
      return wait(destination);
    },
    take(name, lane, wanted) {
      const destination = destinationNamed(name);
      const slots: Slot[] = [];
      while (slots.length < wanted && hasRoom(lane) && roomOf(destination) > 0) slots.push(slotOf(destination, lane));
      return slots;
    },
    close() {
      closed = true;
      for (const { waiting } of [...waitingOnes]) for (const settle of waiting.splice(0)) settle(undefined);
      waitingOnes.clear();
    },
    calls: () => all,
    onRoom: (listener) => void (tellRoom = listener),
    states() {
      const worst = new Map<string, HostState>();
      const rank = (state: HostState | undefined) => (state ? fromBestToWorst.indexOf(state) : -1);
      for (const { host, health } of destinations.values()) {
        const state = health.state(elapsed());
        if (rank(state) > rank(worst.get(host))) worst.set(host, state);
      }
      return worst;
    },
  };
}
