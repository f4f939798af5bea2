import type { Collection, Connection } from 'mongoose';

/** A process that leases work; `beat` changes as long as it is alive. */
export interface PresentProcess {
  readonly id: string;
  readonly beat: number;
}

/** Which processes lease work, and whether they are alive. What is lost of it costs a lease its early end, and nothing else. */
export interface PresenceRepository {
  enter(process: PresentProcess): Promise<void>;
  /** False when others have given the process up. */
  beat(process: PresentProcess): Promise<boolean>;
  list(): Promise<readonly PresentProcess[]>;
  /** Gives up a process that has not beaten since it was looked at; false when it has, or when others were faster. */
  giveUp(process: PresentProcess): Promise<boolean>;
}

/** Writes that need not outlive the failure of a node. */
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
