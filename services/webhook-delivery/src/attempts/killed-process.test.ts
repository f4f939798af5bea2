import { compileServices, startServiceProcess } from '@itsm/shared/testing/service-process';
import type { ServiceProcess } from '@itsm/shared/testing/service-process';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { answer, deliveryKey, requestOf, startPlatform } from '../testing/platform';
import type { Platform } from '../testing/platform';

/** Looks are a second apart, so five of them end within five seconds. */
const looksInFiveSeconds = 5;

let platform: Platform;
const children: ServiceProcess[] = [];
beforeAll(async () => {
  compileServices();
  platform = await startPlatform();
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  await platform.clear();
});
afterAll(() => platform.close());

/** Starts the service as a child process; processes with the same URL share a store. */
async function startProcess(mongodbUrl: string): Promise<ServiceProcess> {
  const settings = { mongodbUrl, authJwksUrl: platform.keys.jwksUri, deliveryKey: deliveryKey.toString('base64') };
  const child = await startServiceProcess(require.resolve('../testing/delivery-process.cjs'), settings);
  children.push(child);
  return child;
}

const request = (child: ServiceProcess, uri: string) => child.send(requestOf(uri, new Date()));

/** Waits for `calls` calls of the receiver. The timeout is shorter than a lease, so no lease has expired by then. */
const untilCalled = (receiver: { readonly calls: readonly unknown[] }, calls: number): Promise<unknown> =>
  waitUntil(`call ${calls}`, () => receiver.calls.length >= calls);

const hangsAtFirst = () => platform.receiver((res, call) => (call === 1 ? undefined : answer(200)(res)));

test('attempts of a killed process are repeated within five seconds of its restart', async () => {
  const url = platform.databaseUrl();
  const receiver = await hangsAtFirst();
  const killed = await startProcess(url);
  request(killed, receiver.uri);
  await untilCalled(receiver, 1);
  await killed.kill();
  const successor = await startProcess(url);
  await untilCalled(receiver, 2);
  expect(successor.looks()).toBeLessThanOrEqual(looksInFiveSeconds);
});

test('another replica takes over from a killed process within five seconds, and nothing from a slow one', async () => {
  const url = platform.databaseUrl();
  const receiver = await hangsAtFirst();
  const [slow, other] = await Promise.all([startProcess(url), startProcess(url)]);
  request(slow, receiver.uri);
  await untilCalled(receiver, 1);
  const called = other.looks();
  await waitUntil('five more looks', () => other.looks() >= called + 5);
  expect(receiver.calls).toHaveLength(1);
  await slow.kill();
  const killed = other.looks();
  await untilCalled(receiver, 2);
  expect(other.looks() - killed).toBeLessThanOrEqual(looksInFiveSeconds);
});
