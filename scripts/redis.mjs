// node scripts/redis.mjs -- <command>: runs the command with REDIS_URL of a Redis that lives as long as the command.
import { findProgram, freePorts, runWithEngine, waitUntilReady } from './engine.mjs';

const server = findProgram(['redis-server'], 'Redis is not installed; on Debian: apt-get install redis-server');

await runWithEngine('redis', async (_directory, run) => {
  const [port] = await freePorts(1);
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no' };
  const parameters = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const redis = run(server, parameters);
  await waitUntilReady(redis, port, 'PING\r\n', 10);
  return { REDIS_URL: `redis://127.0.0.1:${port}` };
});
