import type { Collection, Connection } from 'mongoose';

/** A process that holds leases; `beat` changes while it is alive. */
export interface PresentProcess {
  readonly id: string;
  readonly beat: number;
}

/** The heartbeats of processes that hold leases. Their loss would only delay a takeover until the lease expires. */
export interface PresenceRepository {
  enter(process: PresentProcess): Promise<void>;
  /** False when another process has given this one up. */
  beat(process: PresentProcess): Promise<boolean>;
  list(): Promise<readonly PresentProcess[]>;
  /**
   * Deletes a process whose beat has not changed since it was read (compare-and-set); false when it has beaten, or was
   * given up by another process.
   */
  giveUp(process: PresentProcess): Promise<boolean>;
}

/** The write concern of writes that may be lost on a failover. */
export const forgettable = {
  enter: 'its leases run out by themselves',
  beat: 'the next one comes soon',
  giveUp: 'the process is given up again',
};

export const processesCollection = 'processes';

interface ProcessDocument {
  readonly _id: string;
  readonly beat: number;
}

export function createPresenceRepository(connection: Connection): PresenceRepository {
  const processes: Collection<ProcessDocument> = connection.collection<ProcessDocument>(processesCollection);
  return {
    async enter({ id, beat }) {
      await processes.insertOne({ _id: id, beat });
    },
    async beat({ id, beat }) {
      return (await processes.updateOne({ _id: id }, { $set: { beat } })).matchedCount > 0;
    },
    async list() {
      return (await processes.find().toArray()).map(({ _id, beat }) => ({ id: _id, beat }));
    },
    async giveUp({ id, beat }) {
      return (await processes.deleteOne({ _id: id, beat })).deletedCount > 0;
    },
  };
}
