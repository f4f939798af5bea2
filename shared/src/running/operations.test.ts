import { once } from 'node:events';
import { connect } from 'node:net';
import request from 'supertest';
import { listen } from './listen';
import { createHttp } from '../api/http/create-http';
import { silentLogger } from '../observing/logs/logger';
import { waitUntil } from '../testing/wait-until';
import { createHealth } from '../observing/metrics/health';
import type { Dependency } from '../observing/metrics/health';
import { measureRequests } from './run-service';
import { outboxes } from '../observing/metrics/metrics';
import { startOpsServer } from './ops-server';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A process with a vital store and a broker, each up until `state` changes. */
async function start() {
  const state = { store: true, broker: true, answers: true };
  const dependency = (name: 'store' | 'broker', vital: boolean): Dependency => ({
    name,
    vital,
    isUp: () => (state.answers ? Promise.resolve(state[name]) : new Promise<boolean>(() => {})),
  });
  const health = createHealth([dependency('store', true), dependency('broker', false)], silentLogger, 20);
  const server = await startOpsServer(health, 0, '127.0.0.1');
  closers.push(
    () => health.close(),
    () => server.close(),
  );
  const get = (path: string) => request(`http://127.0.0.1:${server.port}`).get(path);
  const becomes = (path: string, status: number) =>
    waitUntil(`${path} ${status}`, async () => (await get(path)).status === status);
  return { state, health, get, becomes };
}

test('a process is alive at once, started when it reports so, ready when the store was up too', async () => {
  const { health, get, becomes } = await start();
  expect((await get('/livez')).status).toBe(200);
  expect([(await get('/startupz')).status, (await get('/readyz')).status]).toEqual([503, 503]);
  health.started();
  expect((await get('/startupz')).status).toBe(200);
  await becomes('/readyz', 200);
});

test('without the store it is alive but not ready, and recovers by itself', async () => {
  const { state, health, get, becomes } = await start();
  health.started();
  await becomes('/readyz', 200);
  state.store = false;
  await becomes('/readyz', 503);
  expect((await get('/livez')).status).toBe(200);
  expect((await get('/readyz?verbose')).text).toBe('process serving\nstore down\nbroker up (not vital)\nnot ok\n');
  state.store = true;
  await becomes('/readyz', 200);
});

test('without the broker it stays ready, and reports it', async () => {
  const { state, health, get, becomes } = await start();
  health.started();
  await becomes('/readyz', 200);
  state.broker = false;
  await waitUntil('the probe', async () => (await get('/readyz?verbose')).text.includes('broker down (not vital)'));
  expect((await get('/readyz')).status).toBe(200);
  expect((await get('/metrics')).text).toMatch(/^dependency_up\{name="broker"\} 0$/m);
});

test('a process that stops is not ready any more', async () => {
  const { health, becomes, get } = await start();
  health.started();
  await becomes('/readyz', 200);
  health.draining();
  health.started();
  expect((await get('/readyz')).status).toBe(503);
});

test('metrics have the format of Prometheus; other paths are 404', async () => {
  const { get } = await start();
  const { text, headers } = await get('/metrics');
  expect(headers['content-type']).toMatch(/^text\/plain/);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect([(await get('/')).status, (await get('/v1/webhooks')).status]).toEqual([404, 404]);
});

test('metrics are served in time without values whose source is silent, and include them again afterwards', async () => {
  const { state, get } = await start();
  const count = {
    refused: () => Promise.resolve(1),
    hangs: () => Promise.resolve(2),
    answers: () => Promise.resolve(3),
  };
  for (const name of ['refused', 'hangs', 'answers'] as const) outboxes.set(name, () => count[name]());
  closers.push(() => outboxes.clear());
  const pending = async (): Promise<string[]> => {
    const { status, text } = await get('/metrics');
    expect(status).toBe(200);
    return [...text.matchAll(/^outbox_pending\{collection="(\w+)"\} \d$/gm)].map(([, name = '']) => name);
  };
  expect(await pending()).toEqual(['refused', 'hangs', 'answers']);

  state.store = false;
  await waitUntil('the store to be away', async () =>
    (await get('/metrics')).text.includes('dependency_up{name="store"} 0'),
  );
  const { refused, hangs } = count;
  count.refused = () => Promise.reject(new Error('connection refused'));
  count.hangs = () => new Promise<never>(() => {});
  expect(await pending()).toEqual(['answers']);

  Object.assign(count, { refused, hangs });
  expect((await pending()).sort()).toEqual(['answers', 'hangs', 'refused']);
  expect((await get('/metrics')).text).toContain('metrics_left_out_total{metric="outbox_pending"} 2');
});

test('requests are timed by method and status, without their URLs', async () => {
  const { get } = await start();
  const http = createHttp(silentLogger, (app) => app.get('/secret-path', (_req, res) => res.json({})));
  const listening = await listen({ http }, 0, '127.0.0.1');
  closers.push(() => listening.close());
  measureRequests(listening.server, 'test');
  const call = request(`http://127.0.0.1:${listening.port}`);
  await call.get('/secret-path');
  await call.get('/other');
  const counted = (status: number) =>
    `http_server_request_duration_seconds_count{service="test",method="GET",status="${status}"} 1`;
  await waitUntil('the probe', async () => {
    const { text } = await get('/metrics');
    return text.includes(counted(200)) && text.includes(counted(404)) && !text.includes('secret-path');
  });
});

const longerThanAnyTest = 3_600_000;

test('a process that stops waits for the idle connections of its clients, and closes each after its next answer', async () => {
  const http = createHttp(silentLogger, (app) => app.get('/', (_req, res) => res.json({})));
  const listening = await listen({ http }, 0, '127.0.0.1');
  closers.push(() => listening.close());
  const socket = connect(listening.port, '127.0.0.1');
  closers.push(() => socket.destroy());
  let answers = '';
  socket.on('data', (chunk: Buffer) => (answers += String(chunk)));
  const call = () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  call();
  await waitUntil('the first answer', () => answers.endsWith('{}'));
  expect(answers).toMatch(/^connection: keep-alive\r$/im);

  let hasLeft = false;
  const left = listening.farewell(longerThanAnyTest).then(() => (hasLeft = true));
  expect((await request(`http://127.0.0.1:${listening.port}`).get('/')).headers['connection']).toBe('close');
  expect(hasLeft).toBe(false);
  answers = '';
  call();
  await once(socket, 'end');
  expect(answers).toMatch(/^connection: close\r$/im);
  await left;
});
