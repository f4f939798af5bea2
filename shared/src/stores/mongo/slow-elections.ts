import type { Connection } from 'mongoose';
import type { Logger } from '../../observing/logs/logger';

/** The time-out of elections for which docs/operations.md promises a failover in ten seconds. MongoDB's own is 10 s. */
const promptMilliseconds = 2_000;

/** The part of `replSetGetConfig` that is used here. */
interface ReplicaSet {
  readonly _id: string;
  readonly members: readonly { readonly host: string }[];
  readonly settings: { readonly electionTimeoutMillis: number };
}

/**
 * Logs a warning with the remedy when the nodes of the store wait longer than 2 s before they elect a new primary. Says
 * nothing when there is no other node, or when the user of the platform may not read the settings.
 */
export async function warnOfSlowElections(connection: Connection, logger: Pick<Logger, 'warn'>): Promise<void> {
  const set = await readSettings(connection);
  if (!set || set.members.length < 2 || set.settings.electionTimeoutMillis <= promptMilliseconds) return;
  logger.warn('a failover of the store takes longer than ten seconds: its elections are slow', {
    electionTimeoutMillis: set.settings.electionTimeoutMillis,
    command: remedyFor(set),
  });
}

async function readSettings(connection: Connection): Promise<ReplicaSet | undefined> {
  try {
    const answer = await connection.db?.admin().command({ replSetGetConfig: 1 });
    return answer?.['config'] as ReplicaSet | undefined;
  } catch {
    // The embedded store and routers of shards do not have the command, and its permission is not required.
    return undefined;
  }
}

/** A command for an administrator of MongoDB; it takes effect without a restart. */
const remedyFor = ({ _id, members }: ReplicaSet): string =>
  `mongosh 'mongodb://${members.map(({ host }) => host).join(',')}/?replicaSet=${_id}' --eval ` +
  `'const c = rs.conf(); c.settings.electionTimeoutMillis = ${promptMilliseconds}; rs.reconfig(c)'`;
