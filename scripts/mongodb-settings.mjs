// How a mongod of a replica set is started, and how the set is initiated.
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { untilDone } from './engine.mjs';

const { MongoClient } = createRequire(import.meta.url)('mongodb');

const name = 'rs0';
const loopback = '127.0.0.1';

/**
 * Arguments of `mongod` for a node with its files in `directory`. The cache is small, since several nodes share one
 * machine.
 */
export function mongodParameters(
  directory,
  port,
  { cacheGigabytes = 0.5, address = loopback, ttl = true, alone = false, journalMilliseconds = 2 } = {},
) {
  mkdirSync(directory, { recursive: true });
  const settings = {
    ...(!alone && { replSet: name }),
    dbpath: directory,
    bind_ip: address,
    port,
    wiredTigerCacheSizeGB: cacheGigabytes,
    oplogSize: 256,
    // A linearizable read writes an entry that nobody asks to be flushed. On a single node it then waits for the next
    // periodic flush, by default every 100 ms; where several nodes follow, replication flushes at once.
    journalCommitInterval: journalMilliseconds,
    // Each index is a file. Suites create and drop thousands, and a server without free file descriptors aborts.
    wiredTigerEngineConfigString: 'file_manager=(close_idle_time=5,close_scan_interval=2,close_handle_minimum=500)',
  };
  const parameters = {
    // By default a node waits 15 s for clients after SIGTERM.
    shutdownTimeoutMillisForSignaledShutdown: 100,
    // Deletes files of dropped collections at the next checkpoint instead of after five minutes.
    minSnapshotHistoryWindowInSeconds: 0,
    syncdelay: 10,
    // Without it a secondary asks a frozen primary a second time, and its new one has no majority for another 7 s.
    oplogFetcherSteadyStateMaxFetcherRestarts: 0,
    ttlMonitorEnabled: ttl,
  };
  const setParameters = Object.entries(parameters).flatMap(([key, value]) => ['--setParameter', `${key}=${value}`]);
  // Its socket files would stay in /tmp when a node is killed.
  return ['--nounixsocket', '--quiet', '--logpath', `${directory}/mongod.log`, ...setParameters, ...pairs(settings)];
}

const pairs = (settings) => Object.entries(settings).flatMap(([option, value]) => [`--${option}`, `${value}`]);

/** The URL of the set as in production: all nodes and the name of the set. */
export const replicaSetUrl = (hosts) => `mongodb://${hosts.join(',')}/?replicaSet=${name}`;

export const onLoopback = (port) => `${loopback}:${port}`;

/** Initiates the replica set; resolves when it has a primary and all other nodes follow it. */
export async function initiateReplicaSet(hosts) {
  const client = new MongoClient(`mongodb://${hosts[0]}/?directConnection=true`);
  try {
    const admin = (await untilDone(() => client.connect())).db('admin');
    const members = hosts.map((host, _id) => ({ _id, host }));
    // Failovers take two seconds instead of ten.
    const settings = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 };
    await untilDone(() => admin.command({ replSetInitiate: { _id: name, members, settings } }));
    await untilDone(async () => {
      const states = (await admin.command({ replSetGetStatus: 1 })).members.map(({ stateStr }) => stateStr);
      const ready = states.includes('PRIMARY') && states.every((state) => ['PRIMARY', 'SECONDARY'].includes(state));
      if (!ready) throw new Error(`the replica set is not ready: ${states.join(', ')}`);
    });
  } finally {
    await client.close();
  }
}
