import { createWorkInHand } from '@itsm/shared/messages/broker/work-in-hand';
import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { Delivery } from '../deliveries/delivery';
import type { Slot } from '../hosts/host-gate';
import type { AttemptRunner, Hold } from './attempt-runner';
import type { Claimed } from '../deliveries/delivery-schedule.repository';

/** The attempts that this process is at. */
export interface Launcher {
  /** `request`: what is sealed in the delivery, where that was opened already. */
  launch(delivery: Delivery, slot: Slot, request?: SealedRequest): void;
  /** Whether the lease that ran out is of a call that we are still at; the new fence is then the call's. */
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
