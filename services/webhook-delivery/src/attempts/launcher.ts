import { createWorkInHand } from '@itsm/shared/messages/broker/work-in-hand';
import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { Delivery } from '../deliveries/delivery';
import type { Slot } from '../hosts/host-gate';
import type { AttemptRunner, Hold } from './attempt-runner';
import type { Claimed } from '../deliveries/delivery-schedule.repository';

/** The running attempts of this process. */
export interface Launcher {
  /** Starts an attempt. `request`: the opened content, if the caller has it already. */
  launch(delivery: Delivery, slot: Slot, request?: SealedRequest): void;
  /** Whether the expired lease belongs to an attempt that still runs here; that attempt then continues under the new fence. */
  adopt(claimed: Claimed): boolean;
  isBusy(): boolean;
  finished(): Promise<void>;
}

export function createLauncher(runner: AttemptRunner): Launcher {
  const inHand = createWorkInHand();
  const holds = new Map<string, Hold>();

  async function attempt(delivery: Delivery, slot: Slot, request?: SealedRequest): Promise<void> {
    const hold = { fence: delivery.fence };
    holds.set(delivery.id, hold);
    const { end, recorded } = await runner.run(delivery, hold, request);
    slot.leave(end);
    await recorded;
    if (holds.get(delivery.id) === hold) holds.delete(delivery.id);
  }

  return {
    launch: (delivery, slot, request) => void inHand.during(attempt(delivery, slot, request)),
    adopt({ delivery: { id, fence }, lostFence }) {
      const hold = holds.get(id);
      if (!hold || hold.fence !== lostFence) return false;
      hold.fence = fence;
      return true;
    },
    isBusy: () => holds.size > 0,
    finished: () => inHand.finished(),
  };
}
