import type { Connection } from 'mongoose';
import type { Broker } from '../messages/broker/broker';
import type { Coordination } from '../stores/coordination/coordination';
import type { Dependency } from '../observing/metrics/health';

/** Vital: a service without its store can answer nothing. */
export const storeDependency = (connection: Connection): Dependency => ({
  name: 'store',
  vital: true,
  isUp: async () => (await connection.db?.admin().ping()) !== undefined,
  time: async () => {
    const answer = await connection.db?.admin().command({ hello: 1 });
    return new Date(Number(answer?.['localTime'] ?? NaN));
  },
});

/** Not vital: without the broker messages wait in the outboxes, and everything else works. */
export const brokerDependency = (broker: Pick<Broker, 'isUp'>): Dependency => ({
  name: 'broker',
  vital: false,
  isUp: () => Promise.resolve(broker.isUp()),
});

/**
 * Not vital: all replicas share it, so an unready replica would gain nothing. Without it the gateway refuses calls that
 * it cannot count.
 */
export const coordinationDependency = (coordination: Coordination): Dependency => ({
  name: 'coordination',
  vital: false,
  isUp: async () => (await coordination.take([], [])).allowed,
  time: () => coordination.time(),
});
