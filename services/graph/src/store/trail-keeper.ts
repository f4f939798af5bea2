import type { Broker } from '@itsm/shared/messages/broker/broker';
import { trailContracts } from './trail';
import type { Trail } from './trail';
import type { TrailRepository } from './trail.repository';

/**
 * Writes trails to their collections: at once, so that the author can read them, and from the outbox as the guarantee.
 */
export interface TrailKeeper {
  /** Call it right after the write that left the trail. */
  keep(trail: Trail, outboxId: string): Promise<void>;
  /**
   * A broker for the relay that stores trails in this service and passes everything else on. In the outbox a trail
   * precedes the events of its change, so that a receiver of the event finds the note.
   */
  between(broker: Broker): Broker;
}

const mostRemembered = 10_000;

export function createTrailKeeper(trails: TrailRepository): TrailKeeper {
  // Trails that were stored at once and need not be stored again. Losing an entry is harmless, since storing is
  // idempotent.
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
        const left = trailContracts.find(({ name }) => name === contract.name);
        if (!left) return broker.publish(contract, message, id);
        if (!kept.delete(id)) await trails.keep([left.schema.parse(message) as Trail]);
      },
    }),
  };
}
