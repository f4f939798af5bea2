import type { Connection } from 'mongoose';
import type { Broker } from '../messages/broker/broker';
import type { Coordination } from '../stores/coordination/coordination';
import type { Dependency } from '../observing/metrics/health';

/** A service without its store can answer nothing. */
export const storeDependency = (connection: Connection): Dependency => ({
  name: 'store',
  vital: true,
  isUp: async () => (await connection.db?.admin().ping()) !== undefined,
});

/** Without the broker messages wait in the outboxes, and everything else goes on. */
export const brokerDependency = (broker: Pick<Broker, 'isUp'>): Dependency => ({
  name: 'broker',
  vital: false,
  isUp: () => Promise.resolve(broker.isUp()),
});

/** Without it the gateway refuses what it would have to count; the same is true of every replica. */
export const coordinationDependency = (coordination: Coordination): Dependency => ({
  name: 'coordination',
  vital: false,
  isUp: async () => (await coordination.take([], [])).allowed,
});
