import { createConnection } from 'mongoose';
import type { Connection } from 'mongoose';
import { mendClosedConnections } from './closed-connections';

/** A call waits this long for a primary: longer than most elections take, and the gateway gives a call up a second later. */
export const electionMilliseconds = 8_000;

/** Opens this service's own database; indexes are made by `App.start`, never behind the scenes. `monitorCommands` has the client emit an event for each command. */
export function connectMongo(url: string, { monitorCommands = false } = {}): Promise<Connection> {
  mendClosedConnections();
  return createConnection(url, {
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    serverSelectionTimeoutMS: electionMilliseconds,
    waitQueueTimeoutMS: electionMilliseconds,
    connectTimeoutMS: 3_000,
    // A node that is frozen is noticed after both of these; commands that wait for it are then made again elsewhere.
    heartbeatFrequencyMS: 2_000,
    socketTimeoutMS: 20_000,
    maxPoolSize: 50,
    monitorCommands,
  }).asPromise();
}

/** For writes whose loss would break a promise: on a majority, and in the journal. */
export const durable = { w: 'majority', j: true } as const;
