import type { Broker } from '@itsm/shared/messages/broker/broker';
import { trailLeft } from './trail';
import type { Trail } from './trail';
import type { TrailRepository } from './trail.repository';

/** Puts trails where they are read: at once for who left them, and from the outbox in any case. */
export interface TrailKeeper {
  /** For the trail of a write that has just been done. */
  keep(trail: Trail, outboxId: string): Promise<void>;
  /**
   * A broker for the relay that keeps trails in this service and lets everything else pass. A trail stands before the events of
   * its change in the outbox, so that who hears of a note finds it.
   */
  between(broker: Broker): Broker;
}

const mostRemembered = 10_000;

export function createTrailKeeper(trails: TrailRepository): TrailKeeper {
  // What was kept at once need not be kept again; forgetting it is harmless, since keeping is idempotent.
  const kept = new Set<string>();
  return {
    async keep(trail, outboxId) {
      await trails.keep([trail]);
      if (kept.size >= mostRemembered) kept.clear();
      kept.add(outboxId);
    },
    between: (broker) => ({
      ...broker,
      async publish(contract, message, id) {
        if (contract.name !== trailLeft.name) return broker.publish(contract, message, id);
        if (!kept.delete(id)) await trails.keep([trailLeft.schema.parse(message) as Trail]);
      },
    }),
  };
}
