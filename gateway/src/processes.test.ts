import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { connectRedisCoordination } from '@itsm/shared/stores/coordination/redis-coordination';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { openForAnHour } from './testing/open-for-an-hour';
import { startServices } from './testing/start-services';
import type { StartedServices } from './testing/start-services';

// Set by scripts/redis.mjs. Without it these tests are skipped.
const redisUrl = process.env['REDIS_URL'] ?? '';
const main = join(__dirname, '../dist/main.js');

let services: StartedServices;
let gateway: ChildProcess;
let output = '';
let origin = '';
let opsOrigin = '';

interface Line {
  readonly message: string;
  readonly pid: number;
  readonly port?: number;
  readonly opsPort?: number;
}

const lines = (message: string): Line[] =>
  output
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as Line)
    .filter((line) => line.message === message);

/** Opens a new connection, so that calls are spread over the processes. */
function call(path: string, { token, body }: { token?: string; body?: object } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-service-account': 'wdc',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const method = body ? 'POST' : 'GET';
    const sent = request(`${origin}${path}`, { agent: false, method, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

const ask = (token = services.auth.issue({}, randomUUID())): Promise<number> =>
  call('/graphql', { token, body: { query: '{ requests(first: 1) { totalCount } }' } });

const read = async (path: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${opsOrigin}${path}`);
  return { status: answer.status, text: await answer.text() };
};
const isReady = async (): Promise<boolean> => (await read('/readyz')).status === 200;

async function countedCalls(): Promise<number> {
  const { text } = await read('/metrics');
  const counted =
    /^http_server_request_duration_seconds_count\{service="gateway",method="POST",status="200"\} (\d+)$/m.exec(text);
  return Number(counted?.[1] ?? 0);
}

const processesOfCalls = (): number[] => [...new Set(lines('request').map(({ pid }) => pid))];

const describeWithRedis = redisUrl === '' ? describe.skip : describe;
describeWithRedis('a gateway of two processes', () => {
  beforeAll(async () => {
    services = await startServices();
    gateway = spawn(process.execPath, [main], {
      env: {
        ...services.env,
        HOST: '127.0.0.1',
        PORT: '0',
        OPS_PORT: '0',
        REDIS_URL: redisUrl,
        GATEWAY_PROCESSES: '2',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [gateway.stdout, gateway.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    const started = await waitUntil('both processes', () => {
      if (gateway.exitCode !== null) throw new Error(output);
      return lines('all processes serve')[0];
    });
    opsOrigin = `http://127.0.0.1:${started.opsPort}`;
    origin = `http://127.0.0.1:${lines('listening')[0]?.port}`;
    await waitUntil('readiness', isReady);
  });
  afterAll(async () => {
    gateway.kill('SIGKILL');
    await services.close();
  });

  test('share the limits of a caller: of a call and 40 more at once exactly 20 pass', async () => {
    const limitKey = randomUUID();
    const token = services.auth.issue({}, limitKey);
    const coordination = await connectRedisCoordination(redisUrl, silentLogger);
    await openForAnHour(coordination, limitKey);
    await coordination.close();
    const calls = Array.from({ length: 20 }, () => [ask(token), call('/v1/webhooks', { token })]).flat();
    const statuses = await Promise.all(calls);
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
    expect(statuses.filter((status) => status === 429)).toHaveLength(21);
    expect(processesOfCalls()).toHaveLength(2);
  });

  test('add up their metrics, including those of a process that was killed and replaced while calls went on', async () => {
    const before = await countedCalls();
    expect(await Promise.all(Array.from({ length: 10 }, () => ask()))).toEqual(Array(10).fill(200));
    await waitUntil('the count', async () => (await countedCalls()) === before + 10);
    expect(await read('/metrics')).toMatchObject({
      text: expect.stringMatching(/^dependency_up\{name="supergraph"\} 1$/m),
    });

    const [killed = 0] = processesOfCalls();
    process.kill(killed, 'SIGKILL');
    await waitUntil('the end of it', () => lines('A process ended and is started again').length === 1);
    const known = processesOfCalls();
    const statuses: number[] = [];
    await waitUntil('calls at the one that took its place', async () => {
      statuses.push(await ask());
      expect(await isReady()).toBe(true);
      return processesOfCalls().length > known.length;
    });
    expect(statuses).toEqual(statuses.map(() => 200));
    // It serves calls a moment before the first process is notified.
    await waitUntil('both to be known', async () =>
      (await read('/readyz?verbose')).text.includes('2 of 2 processes serving'),
    );
    await waitUntil('the count', async () => (await countedCalls()) === before + 10 + statuses.length);
  });

  test('on SIGTERM finish the calls in flight, and late ones of clients that have not noticed yet', async () => {
    const release = services.graph.hang();
    const asked = services.graph.asked();
    const early = Array.from({ length: 8 }, () => ask());
    await waitUntil('the calls at the service', () => services.graph.asked() === asked + 8);
    const ended = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    await waitUntil('being unready', async () => !(await isReady()));
    const late = Array.from({ length: 8 }, () => ask());
    await waitUntil('the calls at the service', () => services.graph.asked() === asked + 16);
    release();
    expect(await Promise.all([...early, ...late])).toEqual(Array(16).fill(200));
    expect(await ended).toEqual([0, null]);
  });
});
