// node scripts/redis.mjs [--cluster] -- <command>: runs the command with REDIS_URL of a temporary Redis; with --cluster
// of a Redis Cluster of three masters.
import { spawnSync } from 'node:child_process';
import { findProgram, freePorts, runWithEngine, untilDone, waitUntilReady } from './engine.mjs';

const advice = 'Redis is not installed; on Debian: apt-get install redis-server';
const server = findProgram(['redis-server'], advice);
const isCluster = process.argv.slice(2, process.argv.indexOf('--')).includes('--cluster');

await runWithEngine('redis', async (_directory, run) => {
  const ports = await freePorts(isCluster ? 6 : 1);
  const nodes = isCluster ? ports.slice(0, 3) : ports;
  for (const [index, port] of nodes.entries()) {
    const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no' };
    // By default the cluster bus uses the port plus 10,000, which is in Linux's ephemeral range.
    const ofCluster = {
      'cluster-enabled': 'yes',
      'cluster-config-file': `${port}.conf`,
      'cluster-port': ports[3 + index],
    };
    const all = isCluster ? { ...settings, ...ofCluster } : settings;
    const redis = run(
      server,
      Object.entries(all).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    );
    await waitUntilReady(redis, port, 'PING\r\n');
  }
  if (isCluster) await join(nodes);
  return { REDIS_URL: `${isCluster ? 'redis-cluster' : 'redis'}://127.0.0.1:${nodes[0]}` };
});

async function join(nodes) {
  const client = findProgram(['redis-cli'], advice);
  const ask = (...parameters) => spawnSync(client, parameters, { encoding: 'utf8' }).stdout;
  const hosts = nodes.map((port) => `127.0.0.1:${port}`);
  const said = ask('--cluster', 'create', ...hosts, '--cluster-replicas', '0', '--cluster-yes');
  if (!said.includes('All 16384 slots covered')) throw new Error(said);
  await untilDone(() => {
    const states = nodes.map((port) => ask('-p', `${port}`, 'cluster', 'info'));
    if (!states.every((state) => state.includes('cluster_state:ok'))) throw new Error(states.join('\n'));
  });
}
