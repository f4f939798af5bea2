import { createConnection } from 'mongoose';
import type { Connection } from 'mongoose';
import { mendClosedConnections } from './closed-connections';

/** Opens this service's own database; indexes are made by `App.start`, never behind the scenes. `monitorCommands` has the client emit an event for each command. */
export function connectMongo(url: string, { monitorCommands = false } = {}): Promise<Connection> {
  mendClosedConnections();
  return createConnection(url, {
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    serverSelectionTimeoutMS: 3_000,
    connectTimeoutMS: 3_000,
    socketTimeoutMS: 20_000,
    maxPoolSize: 50,
    monitorCommands,
  }).asPromise();
}

/** For writes whose loss would break a promise to somebody: on a majority, and in the journal. */
export const durable = { w: 'majority', j: true } as const;
