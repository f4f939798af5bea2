// How one mongod of a replica set is started, and how the set is made of its nodes.
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { untilDone } from './engine.mjs';

const { MongoClient } = createRequire(import.meta.url)('mongodb');

const name = 'rs0';
const loopback = '127.0.0.1';

/** Arguments of `mongod` for a node that keeps its files in `directory`. A small cache: several nodes share one machine. */
export function mongodParameters(
  directory,
  port,
  { cacheGigabytes = 0.5, address = loopback, ttl = true, alone = false } = {},
) {
  mkdirSync(directory, { recursive: true });
  const settings = {
    ...(!alone && { replSet: name }),
    dbpath: directory,
    bind_ip: address,
    port,
    wiredTigerCacheSizeGB: cacheGigabytes,
    oplogSize: 256,
    // Each index is a file. Suites make and drop thousands, and a server that has run out of file descriptors aborts.
    wiredTigerEngineConfigString: 'file_manager=(close_idle_time=5,close_scan_interval=2,close_handle_minimum=500)',
  };
  const parameters = {
    // A node that gets SIGTERM would wait 15 s for clients to leave.
    shutdownTimeoutMillisForSignaledShutdown: 100,
    // Files of what was dropped go at the next checkpoint, not five minutes later.
    minSnapshotHistoryWindowInSeconds: 0,
    syncdelay: 10,
    ttlMonitorEnabled: ttl,
  };
  const setParameters = Object.entries(parameters).flatMap(([key, value]) => ['--setParameter', `${key}=${value}`]);
  // Its sockets would stand in /tmp, where a node that is killed leaves them behind.
  return ['--nounixsocket', '--quiet', '--logpath', `${directory}/mongod.log`, ...setParameters, ...pairs(settings)];
}

const pairs = (settings) => Object.entries(settings).flatMap(([option, value]) => [`--${option}`, `${value}`]);

/** The address of the set, as clients in production have it: every node and the name of the set. */
export const replicaSetUrl = (hosts) => `mongodb://${hosts.join(',')}/?replicaSet=${name}`;

export const onLoopback = (port) => `${loopback}:${port}`;

/** Makes the nodes one set and waits until it has a primary and every other node follows it. */
export async function initiateReplicaSet(hosts) {
  const client = new MongoClient(`mongodb://${hosts[0]}/?directConnection=true`);
  try {
    const admin = (await untilAnswered(() => client.connect())).db('admin');
    const members = hosts.map((host, _id) => ({ _id, host }));
    // Failovers of tests take two seconds in place of ten.
    const settings = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 };
    await untilAnswered(() => admin.command({ replSetInitiate: { _id: name, members, settings } }));
    await untilAnswered(async () => {
      const states = (await admin.command({ replSetGetStatus: 1 })).members.map(({ stateStr }) => stateStr);
      const ready = states.includes('PRIMARY') && states.every((state) => ['PRIMARY', 'SECONDARY'].includes(state));
      if (!ready) throw new Error(`the replica set is not ready: ${states.join(', ')}`);
    });
  } finally {
    await client.close();
  }
}

const untilAnswered = (work) => untilDone(work, 60_000);
