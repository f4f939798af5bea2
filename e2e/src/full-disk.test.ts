import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import { create, createUntilRefused, credentials, expectRecords, idIn } from './changes';
import { freePort } from './free-port';
import { makePlatformData } from './platform-data';
import { startPlatformProcess } from './platform-process';
import { mountDisk } from './small-disk';
import { call } from './tour/api';
import { createBrowser } from './tour/browser';
import { members, text } from './tour/expect';
import { startReceiver } from './tour/receiver';
import type { Receiver } from './tour/receiver';

// Only root can mount a disk.
const asRoot = process.getuid?.() === 0 ? test : test.skip;

const refusal = 'The disk of the platform is full: ask its operator to make room, then try again';
/** Room for some dozen changes with their events. */
const roomBytes = 512 * 1024;
/** A change that is so long that few of them fill the disk, and one that fits wherever any does. */
const long = 'It does not fit. '.repeat(1_000);
const short = 'Help!';
async function registerWebhook(demo: DemoFile, receiver: Receiver): Promise<void> {
  const json = { event: 'request.create', uri: receiver.uri };
  const created = await call(`${demo.base_url}/v1/webhooks`, credentials(demo), { method: 'POST', json });
  expect(created.status).toBe(201);
  const { body } = await receiver.next((delivery) => delivery.body['event'] === 'webhook.verify');
  const callback = text(members(body['payload'], 'payload')['callback'], 'callback');
  expect((await fetch(callback)).status).toBe(200);
}

/** The first answer that is no success: the last block of a full disk may still take a few small changes. */
async function firstRefused<T extends { readonly status: number }>(make: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await make();
    if (answer.status >= 300) return answer;
  }
}

/** Creates requests until one is refused for want of room; adds the others to `acknowledged`. */
async function fillUp(demo: DemoFile, note: string, acknowledged: string[]): Promise<void> {
  const { acknowledged: more, answer } = await createUntilRefused(demo, note);
  acknowledged.push(...more);
  expect(answer).toMatchObject({
    status: 507,
    body: { errors: [{ message: refusal, extensions: { code: 'INSUFFICIENT_STORAGE' } }] },
  });
  expect(answer.headers.get('retry-after')).toBeNull();
}

async function signIn({ base_url: baseUrl, accounts }: DemoFile) {
  const browser = createBrowser(baseUrl);
  const { forms } = await browser.visit(`${baseUrl}/`);
  const form = forms.find(({ fields }) => 'next' in fields);
  if (!form) throw new Error('There is no form to sign in');
  const { email, password } = accounts.wdc.specialist;
  return { browser, page: await browser.submit(form, { email, password }) };
}

asRoot(
  'on a full disk writes are refused with what to do, reads and starts work, and with room everything goes on',
  async () => {
    const data = makePlatformData('full-disk', 'embedded');
    const disk = mountDisk(data.directory, '64m');
    const [port, opsPort] = [await freePort(), await freePort()];
    const start = () => startPlatformProcess({ port, data, settings: { OPS_PORT: String(opsPort) } });
    const receiver = await startReceiver();
    const acknowledged: string[] = [];
    let platform = await start();
    const expectReads = async () => {
      await expectRecords(platform.demo, acknowledged);
      expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200);
    };
    try {
      const { demo } = platform;
      await registerWebhook(demo, receiver);
      const { browser } = await signIn(demo);

      disk.fill(roomBytes);
      await fillUp(demo, long, acknowledged);
      expect(acknowledged.length).toBeGreaterThan(5);
      disk.fill(0);
      await fillUp(demo, short, acknowledged);
      const json = { event: 'request.update', uri: receiver.uri };
      const rest = await firstRefused(() =>
        call(`${demo.base_url}/v1/webhooks`, credentials(demo), { method: 'POST', json }),
      );
      expect(rest).toMatchObject({ status: 507, body: { message: refusal } });
      await expectReads();
      expect((await browser.visit(`${demo.base_url}/oauth/profile`)).status).toBe(200);
      const page = await firstRefused(() => signIn(demo).then((signedIn) => signedIn.page));
      expect(page).toMatchObject({ status: 507, html: expect.stringContaining(refusal) as unknown });

      // The second start is that after a power cut.
      for (const end of [() => platform.stop(), () => platform.kill()]) {
        await end();
        disk.fill(0);
        platform = await start();
        await expectReads();
        await fillUp(demo, short, acknowledged);
      }

      disk.makeRoom();
      acknowledged.push(idIn(await create(demo, short)));
      await expectReads();
      for (const id of acknowledged) await receiver.next(({ body }) => body['object_nodeID'] === id);
      expect((await signIn(demo)).page.status).toBe(200);
    } finally {
      await platform.stop();
      await receiver.close();
      disk.remove();
      await data.remove();
    }
  },
);
