import { createHostHealth } from './host-health';
import type { CallEnd, HostHealth, HostState } from './host-health';
import { createTally } from '@itsm/shared/base/concurrency/tally';
import { accountOfDestination, hostOfDestination } from '../deliveries/delivery';
import type { Lane } from '../deliveries/delivery';

/** The right to make one call. */
export interface Slot {
  /** Undefined: no call was made. */
  leave(end: CallEnd | undefined): void;
}

/**
 * Lets calls out: so many in all, so many per host, and retries only into a part of the room. A call that takes long
 * gives its place among all to others after a second and keeps the one of its host. What one account learns of a host,
 * how many calls it takes and whether it answers at all, is not held against other accounts that call it, and no account
 * can take all calls for itself, however many hosts it names.
 */
export interface HostGate {
  /** A slot for a first attempt: at once or soon, without limit while only the whole is full; undefined when the host keeps it waiting. */
  enter(destination: string): Promise<Slot | undefined>;
  /** Up to `wanted` slots that are free now. */
  take(destination: string, lane: Lane, wanted: number): Slot[];
  hasRoom(lane: Lane): boolean;
  /** Rejects everything that waits in `enter`, and all later calls of it. */
  close(): void;
  calls(): number;
  /** Hosts that something is known of, by state: the worst that an account has seen. */
  states(): ReadonlyMap<string, HostState>;
}

export interface HostGateOptions {
  /** Calls younger than a second. */
  readonly overall: number;
  /** Calls of any age. */
  readonly open: number;
  readonly perHost: number;
  /** Milliseconds, only ever forward. */
  readonly elapsed: () => number;
  /** Called when a call has ended; `forOthers`: its host or its account was full, so that others may wait for it. */
  readonly onRoom: (destination: string, forOthers: boolean) => void;
}

/** A host as one account calls it. */
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
/** Of the calls of any age. */
const shareOfAccount = 1 / 4;
const fromBestToWorst: readonly HostState[] = ['well', 'slowed', 'probing', 'open'];

export function createHostGate(options: HostGateOptions): HostGate {
  const { overall, open, perHost, elapsed, onRoom } = options;
  const destinations = new Map<string, Destination>();
  const toHost = createTally(perHost);
  const ofAccount = createTally(Math.max(1, Math.floor(open * shareOfAccount)));
  /** Neither lane can take everything: first attempts go first, and retries still get their turn. */
  const atOnce = { first: Math.ceil(overall * 0.9), retry: Math.ceil(overall / 2) };
  const waitingOnes = new Set<Destination>();
  const young = { first: 0, retry: 0 };
  let all = 0;
  let closed = false;

  const hasRoom = (lane: Lane): boolean =>
    !closed && all < open && young.first + young.retry < overall && young[lane] < atOnce[lane];
  const roomOf = ({ health, calls, host, account }: Destination): number =>
    Math.min(health.limit(elapsed()) - calls, toHost.left(host), ofAccount.left(account));
  /** A full destination that has just finished a call will finish another soon. */
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
      onRoom(destination.name, false);
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
        onRoom(destination.name, forOthers);
      },
    };
  }

  /** One of each destination in turn. */
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
        // Held by the whole, not by its destination: the message stays where it is, and the broker waits.
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
