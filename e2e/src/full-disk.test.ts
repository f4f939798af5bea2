import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import { freePort } from './free-port';
import { makePlatformData } from './platform-data';
import type { PlatformData } from './platform-data';
import { startPlatformProcess } from './platform-process';
import { call, query } from './tour/api';
import type { Answer } from './tour/api';
import { createBrowser } from './tour/browser';
import { members, text } from './tour/expect';
import { startReceiver } from './tour/receiver';
import type { Receiver } from './tour/receiver';

// Only root can mount a disk.
const asRoot = process.getuid?.() === 0 ? test : test.skip;

const refusal = 'The disk of the platform is full: ask its operator to make room, then try again';
/** Room for some dozen changes with their events. */
const roomBytes = 512 * 1024;
const deliveryMilliseconds = 120_000;

const credentials = (demo: DemoFile) => ({
  token: demo.accounts.wdc.administrator.personal_access_token,
  account: 'wdc',
});

/** A disk of 64 MB that can be filled, with the data of a platform on it. */
function mountDisk(data: PlatformData) {
  const ballast = join(data.directory, 'ballast');
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', data.directory]);
  return {
    /** Leaves about that many bytes. */
    fill(left: number): void {
      const { bavail, bsize } = statfsSync(data.directory);
      const file = openSync(ballast, 'a');
      try {
        for (let rest = bavail * bsize - left; rest > 0; rest -= bsize) writeSync(file, Buffer.alloc(bsize));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(ballast),
    remove: () => execFileSync('umount', [data.directory]),
  };
}

async function registerWebhook(demo: DemoFile, receiver: Receiver): Promise<void> {
  const json = { event: 'request.create', uri: receiver.uri };
  const created = await call(`${demo.base_url}/v1/webhooks`, credentials(demo), { method: 'POST', json });
  expect(created.status).toBe(201);
  const { body } = await receiver.next((delivery) => delivery.body['event'] === 'webhook.verify', 30_000);
  const callback = text(members(body['payload'], 'payload')['callback'], 'callback');
  expect((await fetch(callback)).status).toBe(200);
}

const creation =
  'mutation ($subject: String!, $note: String!) {' +
  ' requestCreate(input: { subject: $subject, note: $note }) { request { id } errors { message } } }';
/** Makes a change long, so that few of them fill the disk. */
const long = 'It does not fit. '.repeat(1_000);

/** Creates a request, when the caller's window allows it. */
async function create(demo: DemoFile, note: string): Promise<Answer> {
  for (;;) {
    const json = { query: creation, variables: { subject: 'The printer is on fire', note } };
    const answer = await call(demo.graphql_url, credentials(demo), { method: 'POST', json });
    if (answer.status !== 429) return answer;
    await pause(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

const idIn = (answer: Answer): string => {
  const data = members(members(answer.body, 'the answer')['data'], 'data');
  return text(members(members(data['requestCreate'], 'payload')['request'], 'request')['id'], 'id');
};

/** Creates requests until one is refused for want of room; returns the ids of the others. */
async function createUntilRefused(demo: DemoFile, note: string): Promise<string[]> {
  const acknowledged: string[] = [];
  for (;;) {
    const answer = await create(demo, note);
    if (answer.status !== 200) {
      expect(answer).toMatchObject({
        status: 507,
        body: { errors: [{ message: refusal, extensions: { code: 'INSUFFICIENT_STORAGE' } }] },
      });
      expect(answer.headers.get('retry-after')).toBeNull();
      return acknowledged;
    }
    acknowledged.push(idIn(answer));
  }
}

/** The first answer that is no success: the last block of a full disk may still take a few small changes. */
async function firstRefused<T extends { readonly status: number }>(make: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await make();
    if (answer.status >= 300) return answer;
  }
}

async function expectReads(demo: DemoFile, acknowledged: readonly string[], opsPort: number): Promise<void> {
  for (let at = 0; at < acknowledged.length; at += 100) {
    const ids = acknowledged.slice(at, at + 100);
    const { data } = await query(demo.graphql_url, credentials(demo), nodesOf(ids));
    expect(Object.values(data)).toEqual(ids.map((id) => ({ id })));
  }
  expect((await call(`${demo.base_url}/v1/people`, credentials(demo))).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200);
}

const nodesOf = (ids: readonly string[]): string =>
  `{ ${ids.map((id, index) => `n${index}: node(id: ${JSON.stringify(id)}) { id }`).join(' ')} }`;

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
    const disk = mountDisk(data);
    const [port, opsPort] = [await freePort(), await freePort()];
    const start = () => startPlatformProcess({ port, data, settings: { OPS_PORT: String(opsPort) } });
    const receiver = await startReceiver();
    let platform = await start();
    try {
      const { demo } = platform;
      await registerWebhook(demo, receiver);
      const { browser } = await signIn(demo);

      disk.fill(roomBytes);
      const acknowledged = await createUntilRefused(demo, long);
      expect(acknowledged.length).toBeGreaterThan(5);
      disk.fill(0);
      acknowledged.push(...(await createUntilRefused(demo, 'Help!')));
      const json = { event: 'request.update', uri: receiver.uri };
      const rest = await firstRefused(() =>
        call(`${demo.base_url}/v1/webhooks`, credentials(demo), { method: 'POST', json }),
      );
      expect(rest).toMatchObject({ status: 507, body: { message: refusal } });
      await expectReads(demo, acknowledged, opsPort);
      expect((await browser.visit(`${demo.base_url}/oauth/profile`)).status).toBe(200);
      const page = await firstRefused(() => signIn(demo).then((signedIn) => signedIn.page));
      expect(page).toMatchObject({ status: 507, html: expect.stringContaining(refusal) as unknown });

      // The second start is that after a power cut.
      for (const end of [() => platform.stop(), () => platform.kill()]) {
        await end();
        disk.fill(0);
        platform = await start();
        await expectReads(demo, acknowledged, opsPort);
        acknowledged.push(...(await createUntilRefused(demo, 'Help!')));
      }

      disk.makeRoom();
      acknowledged.push(idIn(await create(demo, 'Help!')));
      await expectReads(demo, acknowledged, opsPort);
      for (const id of acknowledged)
        await receiver.next(({ body }) => body['object_nodeID'] === id, deliveryMilliseconds);
      expect((await signIn(demo)).page.status).toBe(200);
    } finally {
      await platform.stop();
      await receiver.close();
      disk.remove();
      await data.remove();
    }
  },
);
