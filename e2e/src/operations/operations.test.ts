import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createdIn, creation, isClear, postGraphql } from './calls';
import { killLeaderUnderLoad } from './cluster';
import { startLoad } from './load';
import type { Load } from './load';
import { accepted, isAccepted, isWell, mostWithin, sentence, suffer } from './outages';
import { killGroups } from './process-group';
import { deployables } from './platform';
import type { Deployable } from './platform';
import { folderOf } from './replicas';
import { join, setScene } from './scene';
import type { Scene } from './scene';
import { sendSecrets } from './secret-paths';

const withServers = process.env['AMQP_URL'] !== undefined || process.env['OPERATIONS'] !== undefined;
const say = (text: string): boolean => process.stderr.write(text);
/** The documented promise, of which this is the load test: no call takes longer. Real time is its subject. */
const answerMilliseconds = 10_000;
const isLong = process.env['OPERATIONS'] === 'long';
const withStore = deployables.filter((name) => name !== 'gateway');
/** The checkout of another release, installed and compiled. */
const previous = process.env['PREVIOUS_RELEASE'];

(withServers ? describe : describe.skip)('two replicas of every service on servers that fail', () => {
  let scene: Scene;
  let load: Load;

  beforeAll(async () => {
    scene = await setScene(2);
  });
  afterAll(async () => {
    await load?.stop();
    killGroups();
  });

  test("one trace spans a client's call, RabbitMQ and the receiver", async () => {
    const { platform, http, clients, receiver } = scene;
    const [traceId, parent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const traceparent = `00-${traceId}-${parent}-01`;
    const answer = await postGraphql(http, platform.baseUrl, clients[0], creation('Traced'), { traceparent });
    const id = createdIn(answer) ?? '';
    const delivery = await waitUntil('the delivery', () => receiver.deliveriesOf(id)[0]);
    const [, receivedTrace, receivedSpan] = String(delivery.headers['traceparent']).split('-');
    expect(receivedTrace).toBe(traceId);

    const spans = () => platform.collector.spansOf(traceId);
    const inTrace = (name: string) => spans().some(({ service }) => service === name);
    const onTheWay = ['gateway', 'graph', 'webhooks', 'webhook-delivery'];
    const isWhole = () => onTheWay.every(inTrace) && spans().some(({ spanId }) => spanId === receivedSpan);
    await waitUntil('all spans at the collector', isWhole);
    const isKnown = (spanId = '') => spanId === parent || spans().some((span) => span.spanId === spanId);
    await waitUntil('the parents of all spans', () => spans().every((span) => isKnown(span.parentSpanId)));
  });

  test('a rolling restart of every service fails no client call', async () => {
    const { platform, clients } = scene;
    load = startLoad(platform.baseUrl, clients);
    await rollOver();
    const outcomes = load.take();
    expect(outcomes.filter(({ isOk }) => !isOk)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(50);
    say(`Rolling restart: ${outcomes.length} calls, ${load.acknowledged().length} changes\n`);
  });

  if (previous !== undefined)
    test('a rollback by one release and the upgrade again fail no client call', async () => {
      for (const checkout of [previous, undefined]) {
        await rollOver(checkout);
        const outcomes = load.take();
        expect(outcomes.filter(({ isOk }) => !isOk)).toEqual([]);
        say(`To the ${checkout === undefined ? 'present' : 'former'} release: ${outcomes.length} calls\n`);
      }
    });

  test('sends secrets by every path', async () => {
    const refusals = await sendSecrets(scene);
    expect(refusals.filter(([, { status }]) => status < 300 || status >= 500).map(([what]) => what)).toEqual([]);
    const leaks = refusals.flatMap(([what, { text }]) =>
      [...scene.secrets].filter((one) => text.includes(one)).map(() => what),
    );
    expect(leaks).toEqual([]);
  });

  test('a killed and restarted RabbitMQ fails no call', async () => {
    const { rabbitmq } = scene.platform;
    const seen = await suffer(scene, load, { begin: rabbitmq.kill, seconds: 2, end: rabbitmq.start });
    say(sentence('RabbitMQ killed', seen));
    expect(seen.failed).toEqual([]);
  });

  test('a frozen RabbitMQ fails no call', async () => {
    const { rabbitmq } = scene.platform;
    const seen = await suffer(scene, load, { begin: rabbitmq.freeze, seconds: isLong ? 40 : 12, end: rabbitmq.thaw });
    say(sentence('RabbitMQ frozen', seen));
    expect(seen.failed).toEqual([]);
  });

  test('a RabbitMQ out of memory fails no call', async () => {
    const { rabbitmq } = scene.platform;
    const seen = await suffer(scene, load, {
      begin: () => rabbitmq.control('set_vm_memory_high_watermark', 'absolute', '1MB'),
      seconds: isLong ? 20 : 2,
      end: () => rabbitmq.control('set_vm_memory_high_watermark', '0.6'),
    });
    say(sentence('RabbitMQ out of memory', seen));
    expect(seen.failed).toEqual([]);
  });

  test('a Redis that is frozen for three seconds fails no call', async () => {
    const { redis } = scene.platform;
    const seen = await suffer(scene, load, { begin: redis.freeze, seconds: 3, end: redis.thaw });
    say(sentence('Redis frozen for 3 s', seen));
    expect(seen.failed).toEqual([]);
  });

  test('without Redis no call is accepted, and revocations hold when it comes back empty', async () => {
    const { redis, operator } = scene.platform;
    const [before, meanwhile, stranger] = [
      await join(operator, 'before'),
      await join(operator, 'meanwhile'),
      await join(operator, 'stranger'),
    ];
    for (const one of [before, meanwhile, stranger]) expect(await isAccepted(scene, one)).toBe(true);
    await operator.call('operator.setAccountDisabled', before.account, true);
    expect(await isAccepted(scene, before)).toBe(false);

    let revoking: Promise<unknown> = Promise.resolve();
    const seen = await suffer(scene, load, {
      async begin() {
        redis.kill();
        expect(await accepted(scene, stranger, 5)).toEqual([]);
        expect(await isAccepted(scene, before)).toBe(false);
        revoking = operator.call('operator.setAccountDisabled', meanwhile.account, true).catch(() => undefined);
        await revoking;
      },
      seconds: 2,
      end: redis.start,
    });
    say(sentence('Redis killed', seen));
    expect(seen.failed.filter(({ what, status }) => what !== 'page' && status !== 503)).toEqual([]);
    expect(seen.slowest).toBeLessThan(answerMilliseconds);
    // Without a confirmation the caller retries the revocation.
    await operator.call('operator.setAccountDisabled', meanwhile.account, true);
    for (const one of [before, meanwhile]) expect(await isAccepted(scene, one)).toBe(false);
    expect(mostWithin(2, await accepted(scene, stranger, 40))).toBeLessThanOrEqual(20);
  });

  test('revocations survive an emptied Redis', async () => {
    const gone = await join(scene.platform.operator, 'gone');
    expect(await isAccepted(scene, gone)).toBe(true);
    await scene.platform.operator.call('operator.setAccountDisabled', gone.account, true);
    expect(await command(scene.platform.redis.port, 'FLUSHALL')).toBe('+OK');
    expect(await accepted(scene, gone, 6)).toEqual([]);
    expect(await isWell(scene)).toBe(true);
  });

  test('with a frozen Redis calls fail clearly within 10 s', async () => {
    const { redis } = scene.platform;
    const seen = await suffer(scene, load, { begin: redis.freeze, seconds: isLong ? 40 : 12, end: redis.thaw });
    say(sentence('Redis frozen', seen));
    expect(seen.slowest).toBeLessThan(answerMilliseconds);
    expect(seen.failed.filter((outcome) => !isClear(outcome))).toEqual([]);
  });

  test('every acknowledged change reached the receiver', async () => {
    await load.stop();
    const missing = () => load.acknowledged().filter((id) => scene.receiver.deliveriesOf(id).length === 0);
    await waitUntil('every change at the receiver', () => missing().length === 0).catch(() => undefined);
    say(`${load.acknowledged().length} changes acknowledged, ${missing().length} missing\n`);
    expect(missing()).toEqual([]);
  });

  test('no log, trace or metric of all this contains a secret', async () => {
    const { platform, secrets } = scene;
    const ports = Object.values(platform.services).flatMap(({ opsPorts }) => opsPorts);
    const metrics = await Promise.all(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    );
    expect(metrics.every((text) => text.includes('process_cpu_seconds_total'))).toBe(true);
    const places = { logs: platform.output(), traces: platform.collector.text(), metrics: metrics.join('\n') };
    expect(secrets.size).toBeGreaterThan(20);
    for (const [place, text] of Object.entries(places)) {
      expect(text.length).toBeGreaterThan(1000);
      const leaked = [...secrets].filter((secret) => text.includes(secret));
      const lines = leaked.flatMap((secret) =>
        text
          .split('\n')
          .filter((line) => line.includes(secret))
          .slice(0, 1),
      );
      expect({ place, lines }).toEqual({ place, lines: [] });
      expect(text).not.toMatch(/PRIVATE KEY|"d":"/);
    }
  });

  test.each(withStore)('%s creates its indexes and exits', async (name) => {
    const run = scene.platform.services[name].makeIndexes();
    expect([await run.ended, run.output()]).toEqual([0, expect.stringContaining('The indexes are there')]);
  });

  test('all of them stop in order', async () => {
    expect(await scene.stop()).toEqual(deployables.flatMap(() => [0, 0]));
  });

  /** Restarts the replicas of every service one by one; in a short run, of all services concurrently. */
  async function rollOver(checkout?: string): Promise<void> {
    const restart = (index: number) => (name: Deployable) =>
      scene.platform.services[name].restart(index, checkout === undefined ? undefined : folderOf(name, checkout));
    for (const index of [0, 1]) {
      if (isLong) for (const name of deployables) expect(await restart(index)(name)).toBe(0);
      else expect(await Promise.all(deployables.map(restart(index)))).toEqual(deployables.map(() => 0));
    }
  }
});

afterAll(killGroups);

if (isLong)
  test('killing the leader of a queue in a cluster of three under load loses nothing', async () => {
    const count = 10_000;
    const { confirmed, received, longest } = await killLeaderUnderLoad(count);
    say(`Leader killed: ${confirmed} confirmed, ${received} received, longest wait ${longest} ms\n`);
    expect([confirmed, received]).toEqual([count, count]);
  });

/** Sends one command to a Redis; returns the first line of its answer. */
const command = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`));
    socket.once('error', reject);
    socket.once('data', (chunk: Buffer) => {
      socket.destroy();
      resolve(chunk.toString().split('\r\n')[0] ?? '');
    });
  });
