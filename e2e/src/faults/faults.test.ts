import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Credentials } from '../operations/calls';
import { startLoad } from '../operations/load';
import type { Load } from '../operations/load';
import { isAccepted, isWell } from '../operations/outages';
import { killGroups } from '../operations/process-group';
import { startReceiver } from '../operations/receiver';
import type { Receiver } from '../operations/receiver';
import { join, register, setScene } from '../operations/scene';
import type { Scene } from '../operations/scene';
import { faultsOf } from './faults';
import { rowOf, tableOf } from './report';
import type { Row, Stored } from './report';

const withServers = process.env['AMQP_URL'] !== undefined || process.env['FAULTS'] !== undefined;
const isLong = process.env['FAULTS'] === 'long';
const mayMakeNetworks = process.getuid?.() === 0;
const say = (text: string): boolean => process.stderr.write(text);
const clientCount = isLong ? 8 : 4;
const answerMilliseconds = 10_000;
/** Minimum of the long form over all faults: records times receivers. */
const leastEvents = 10_000;
const receiverCount = isLong ? 3 : 1;
const faults = faultsOf(isLong, mayMakeNetworks);
/** Minimum number of records per fault; clients continue after its end until they have created as many. */
const leastChanges = isLong ? Math.ceil(leastEvents / receiverCount / faults.length) : 1;
/** Work of a killed process is redone when its lease expires. */
const leaseMilliseconds = 30_000;
/**
 * A process checks others at its start and then once a second of its own clock, so five checks take less than five
 * seconds.
 */
const looksInFiveSeconds = 5;

(withServers ? describe : describe.skip)('one process of every service on three MongoDB nodes', () => {
  let scene: Scene;
  let load: Load;
  /** The prefix of the subjects of one fault's records. */
  let mark = randomUUID();
  const rows: (() => Row)[] = [];
  const receivers: Receiver[] = [];
  /** Further receivers to be closed. */
  const closing: Receiver[] = [];

  beforeAll(async () => {
    scene = await setScene(1);
    receivers.push(scene.receiver);
    for (let more = 1; more < receiverCount; more += 1) receivers.push(await anotherReceiver());
    const clients = await Promise.all(Array.from({ length: clientCount }, () => join(scene.platform.operator)));
    load = startLoad(scene.platform.baseUrl, clients, () => `${mark} ${randomUUID()}`);
  });
  afterAll(async () => {
    say(`${tableOf(rows.map((row) => row()))}\n`);
    if (!mayMakeNetworks) say('Not run without root: a stale primary\n');
    await load?.stop();
    for (const receiver of closing) receiver.close();
    await scene?.stop();
    killGroups();
  });

  test.each(faults.map((fault) => [fault.name, fault] as const))(
    '%s: nothing is lost or made twice, and what is revoked is refused',
    async (_name, fault) => {
      const [during, after] = [await leaver(), await leaver()];
      const marked = randomUUID();
      await load.quiet();
      load.take();
      mark = marked;
      const before = load.acknowledged().length;
      const made = () => load.acknowledged().length - before;
      await pause(1_000);
      const began = Date.now();
      await fault.begin(scene);
      const revoking = revokeAndAsk(during);
      await pause(fault.seconds * 1_000);
      await fault.end(scene);
      const ended = Date.now();
      await waitUntil('everything to be well', async () => (await isWell(scene)) || pause(200, false));
      await revoking;
      await revokeAndAsk(after);
      await pause(2_000);
      await waitUntil('as many changes as are to be made', () => made() >= leastChanges);
      mark = randomUUID();
      await load.quiet();
      const outcomes = load.take();
      const stored = await storedWith(marked);
      const deliveriesOf = (id: string) => receivers.map((receiver) => receiver.deliveriesOf(id));
      const arrived = () => stored.every(({ id }) => deliveriesOf(id).every((all) => all.length > 0));
      await waitUntil('every change at every receiver', arrived).catch(() => undefined);
      const judge = () => rowOf(fault, { began, ended }, { outcomes, mark: marked, stored, deliveriesOf });
      rows.push(judge);
      const row = judge();
      say(`${tableOf([row]).split('\n').at(-1)}\n`);
      expect(wrongIn(row)).toEqual(nothingWrong);
      expect(row.acknowledged).toBeGreaterThan(0);
      // A load test of the documented promise that no call takes ten seconds; real time is its subject.
      expect(row.slowest).toBeLessThan(answerMilliseconds);
    },
  );

  test('a process that only knows the old primary does not accept a revoked token', async () => {
    const { store, secrets } = scene.platform;
    const former = await store.primary();
    const origin = await scene.platform.startBeside('auth', { MONGODB_URL: store.urlOfNode(former, 'auth') });
    const revoked = await leaver();
    const headers = { Authorization: `Bearer ${secrets[0]}`, 'Content-Type': 'application/json' };
    const ask = async (): Promise<string> => {
      const body = JSON.stringify({ token: revoked.token });
      // Separate connections, since a kept-alive one may close while the store is frozen, just as it is reused.
      const question = { method: 'POST', headers, body, from: '127.0.0.1' };
      return (await scene.http.call(`${origin}/internal/introspect`, question)).text;
    };
    expect(await ask()).toContain('"active":true');
    former.freeze();
    await revokeAndAsk(revoked);
    const asked = Promise.all(Array.from({ length: 5 }, ask));
    // The queries wait at the old primary, which does not know yet that it was replaced when it continues.
    await pause(100);
    former.thaw();
    expect((await asked).filter((text) => text.includes('"active":true'))).toEqual([]);
  });

  test('deliveries in progress when webhook-delivery was killed are retried within five seconds of its restart', async () => {
    const { platform, http, clients } = scene;
    const slow = await startReceiver('slow:receiver', randomUUID());
    closing.push(slow);
    await register(http, platform.baseUrl, clients[0], slow);
    await recordLooks();
    slow.slowDown(3_000);
    await waitUntil('deliveries on their way', () => slow.unanswered().length > 0);
    const cut = slow.unanswered();
    const killed = Date.now();
    const restarting = platform.services['webhook-delivery'].kill(0);
    // Calls that already wait at the receiver would delay it.
    slow.slowDown(0);
    await restarting;
    const restarted = Date.now();
    const again = () =>
      cut.map(({ id, at }) => slow.deliveries().find((delivery) => delivery.id === id && delivery.at > at)?.at);
    await waitUntil('every attempt again', () => !again().includes(undefined));
    const last = Math.max(...again().map((at) => at ?? Infinity));
    const looks = (await recordedLooks()).filter((at) => at > killed && at <= last).length;
    say(`Attempted again ${last - restarted} ms after the restart, after ${looks} looks: ${cut.length}\n`);
    // Counts checks instead of seconds: a slow machine delays both.
    expect(looks).toBeLessThanOrEqual(looksInFiveSeconds);
  });

  if (isLong)
    test('one lease later there are no unexpected duplicates of any fault, and there were enough events', async () => {
      await pause(leaseMilliseconds * 1.2);
      const all = rows.map((row) => row());
      expect(all.map(wrongIn)).toEqual(all.map(() => nothingWrong));
      const delivered = all.reduce((sum, row) => sum + row.delivered, 0);
      expect(delivered).toBeGreaterThanOrEqual(rows.length * leastChanges * receiverCount);
      say(`${delivered} events delivered, of ${rows.length} faults\n`);
    });

  async function anotherReceiver(): Promise<Receiver> {
    const receiver = await startReceiver('hook:receiver', randomUUID());
    closing.push(receiver);
    await register(scene.http, scene.platform.baseUrl, scene.clients[0], receiver);
    return receiver;
  }

  /** A person in a separate account that can be disabled without affecting others, and whom the gateway has cached. */
  async function leaver(): Promise<Credentials> {
    const credentials = await join(scene.platform.operator, `leaver-${randomUUID().slice(0, 8)}`);
    await waitUntil('the token', () => isAccepted(scene, credentials));
    return credentials;
  }

  /** Revokes until acknowledged; after that no call may be accepted. */
  async function revokeAndAsk(credentials: Credentials): Promise<void> {
    const revoke = () => scene.platform.operator.call('operator.setAccountDisabled', credentials.account, true);
    await waitUntil('the revocation', () =>
      revoke().then(
        () => true,
        () => pause(200, false),
      ),
    );
    for (let calls = 0; calls < 5; calls += 1) expect(await isAccepted(scene, credentials)).toBe(false);
  }

  /** Records the checks of webhook-delivery processes on the primary. */
  const recordLooks = (): Promise<unknown> =>
    scene.platform.store.command('webhook-delivery', {
      profile: 1,
      filter: { ns: 'webhook-delivery.processes', op: 'query' },
    });

  async function recordedLooks(): Promise<readonly number[]> {
    type Found = { cursor: { firstBatch: { ts: { $date: string } }[] } };
    const find = { find: 'system.profile', projection: { ts: 1 }, batchSize: 100_000 };
    const { cursor } = await scene.platform.store.command<Found>('webhook-delivery', find);
    return cursor.firstBatch.map(({ ts }) => Date.parse(ts.$date));
  }

  async function storedWith(subjects: string): Promise<readonly Stored[]> {
    const filter = { 'values.subject': { $regex: `^${subjects}` } };
    const find = { find: 'requests', filter, projection: { 'values.subject': 1 }, batchSize: 100_000 };
    type Found = { cursor: { firstBatch: { _id: number; values: { subject: string } }[] } };
    const { cursor } = await scene.platform.store.command<Found>('graph', find);
    return cursor.firstBatch.map(({ _id, values }) => ({
      id: toNodeId(nodeIdDomain, 'Request', _id),
      subject: values.subject,
    }));
  }
});

const wrongIn = ({ wrong, lost, storedTwice, undelivered, sentTwice }: Row) => ({
  wrong,
  lost,
  storedTwice,
  undelivered,
  sentTwice,
});
const nothingWrong = { wrong: [], lost: [], storedTwice: [], undelivered: [], sentTwice: [] };

/** The setting's default. */
const nodeIdDomain = 'service.example';
