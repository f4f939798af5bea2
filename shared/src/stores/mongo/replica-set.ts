import type { Connection } from 'mongoose';

/** A replica set is required, since durable writes wait for a majority. */
const advice =
  'Start mongod with --replSet rs0, even if it is the only one, run rs.initiate() on it once, and have ?replicaSet=rs0 in the address.';

interface Hello {
  readonly setName?: string;
  /** `isdbgrid` for a mongos. */
  readonly msg?: string;
  /** Set by every mongod. The embedded store lacks it, and needs no replica set. */
  readonly topologyVersion?: object;
}

/** Throws a sentence with the remedy when the server is a standalone mongod. */
export async function checkReplicaSet(connection: Connection): Promise<void> {
  const hello = (await connection.db?.admin().command({ hello: 1 })) as Hello | undefined;
  if (!hello?.topologyVersion || hello.setName !== undefined || hello.msg === 'isdbgrid') return;
  throw new Error(`the MongoDB there is no replica set. ${advice}`);
}

/** The driver's view of the servers when it gave up. */
interface Topology {
  readonly setName: string | null;
  readonly servers: ReadonlyMap<string, { readonly type: string }>;
}

const isTopology = (reason: unknown): reason is Topology =>
  typeof reason === 'object' && reason !== null && 'servers' in reason && reason.servers instanceof Map;

/** The driver only reports that no server was found in time; this adds the reason where the servers' states show it. */
export function explained(error: unknown): unknown {
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
  if (!isTopology(reason)) return error;
  const servers = [...reason.servers.values()];
  if (reason.setName !== null && servers.length === 0)
    return new Error(`no server of the address is in the replica set ${reason.setName}. ${advice}`, { cause: error });
  if (servers.length > 0 && servers.every(({ type }) => type === 'RSGhost'))
    return new Error(`the replica set there has yet to be made. ${advice}`, { cause: error });
  return error;
}
