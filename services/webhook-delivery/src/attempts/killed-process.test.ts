import { execFileSync, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, deliveryKey, requestOf, startPlatform } from '../testing/platform';
import type { Platform } from '../testing/platform';

let platform: Platform;
const children: ChildProcess[] = [];
beforeAll(async () => {
  execFileSync(process.execPath, [join(__dirname, '../../../../scripts/build.mjs')]);
  platform = await startPlatform();
}, 120_000);
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await platform.clear();
});
afterAll(() => platform.close());

/** The service as a process of its own, on a store that it shares with others of the same url. */
async function startProcess(mongodbUrl: string): Promise<ChildProcess> {
  const settings = { mongodbUrl, authJwksUrl: platform.keys.jwksUri, deliveryKey: deliveryKey.toString('base64') };
  const child = fork(join(__dirname, '../testing/delivery-process.cjs'), [JSON.stringify(settings)], { execArgv: [] });
  children.push(child);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The process ended')));
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const request = (child: ChildProcess, uri: string) => child.send(requestOf(uri, new Date()));

/** Until the receiver has been called `calls` times; half as long as a lease, so that no lease has ended by then. */
const untilCalled = (receiver: { readonly calls: readonly unknown[] }, calls: number): Promise<unknown> =>
  waitUntil(`call ${calls}`, () => receiver.calls.length >= calls, 15_000);

const hangsAtFirst = () => platform.receiver((res, call) => (call === 1 ? undefined : answer(200)(res)));

test('what a killed process was at is attempted after its restart, before its lease ends', async () => {
  const url = platform.databaseUrl();
  const receiver = await hangsAtFirst();
  const killed = await startProcess(url);
  request(killed, receiver.uri);
  await untilCalled(receiver, 1);
  await kill(killed);
  await startProcess(url);
  await untilCalled(receiver, 2);
}, 60_000);

test('another replica takes over from a killed process before its lease ends, and from a slow one nothing', async () => {
  const url = platform.databaseUrl();
  const receiver = await hangsAtFirst();
  const [slow] = await Promise.all([startProcess(url), startProcess(url)]);
  request(slow, receiver.uri);
  await untilCalled(receiver, 1);
  await pause(7_000);
  expect(receiver.calls).toHaveLength(1);
  await kill(slow);
  await untilCalled(receiver, 2);
}, 60_000);
