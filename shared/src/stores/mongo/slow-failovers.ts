import type { Connection } from 'mongoose';
import type { Logger } from '../../observing/logs/logger';

/** The time-out of elections for which docs/operations.md promises a failover in ten seconds. MongoDB's own is 10 s. */
const promptMilliseconds = 2_000;
/** How often a secondary asks a frozen node again before it copies from another one; MongoDB's own value is 1. */
const restarts = 'oplogFetcherSteadyStateMaxFetcherRestarts';

/** The part of `replSetGetConfig` that is used here. */
interface ReplicaSet {
  readonly _id: string;
  readonly members: readonly { readonly host: string }[];
  readonly settings: { readonly electionTimeoutMillis: number };
}

/**
 * Logs warnings with their remedies when the nodes of the store wait longer than 2 s before they elect a new primary,
 * and when they ask a frozen one again before they follow the new one. Says nothing when there is no other node, or
 * when the user of the platform may not read the settings.
 */
export async function warnOfSlowFailovers(connection: Connection, logger: Pick<Logger, 'warn'>): Promise<void> {
  const answer = await ask(connection, { replSetGetConfig: 1 });
  const set = answer?.['config'] as ReplicaSet | undefined;
  if (!set || set.members.length < 2) return;
  const { electionTimeoutMillis } = set.settings;
  if (electionTimeoutMillis > promptMilliseconds)
    logger.warn('a failover of the store takes longer than ten seconds: its elections are slow', {
      electionTimeoutMillis,
      command: quickElections(set),
    });
  // Each node has a value of its own; that of the primary matters when another one is elected.
  const values = await Promise.all(
    (['primary', 'secondaryPreferred'] as const).map((readPreference) =>
      ask(connection, { getParameter: 1, [restarts]: 1 }, { readPreference }),
    ),
  );
  const value = Math.max(...values.map((each) => Number(each?.[restarts] ?? 0)));
  if (value > 0)
    logger.warn('a failover from a frozen node takes longer than ten seconds: the others ask it again', {
      [restarts]: value,
      command: noRestarts(set),
    });
}

async function ask(connection: Connection, command: object, options = {}) {
  try {
    return await connection.db?.admin().command(command, options);
  } catch {
    // The embedded store and routers of shards do not have the commands, and their permission is not required.
    return undefined;
  }
}

/** A command for an administrator of MongoDB; it takes effect without a restart. */
const quickElections = ({ _id, members }: ReplicaSet): string =>
  `mongosh 'mongodb://${members.map(({ host }) => host).join(',')}/?replicaSet=${_id}' --eval ` +
  `'const c = rs.conf(); c.settings.electionTimeoutMillis = ${promptMilliseconds}; rs.reconfig(c)'`;

/** A command for each node; it lasts until the node's restart. */
const noRestarts = ({ members }: ReplicaSet): string =>
  members
    .map(
      ({ host }) =>
        `mongosh 'mongodb://${host}/?directConnection=true' --eval ` +
        `'db.adminCommand({ setParameter: 1, ${restarts}: 0 })'`,
    )
    .join('; ');
