import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startChromium } from '../../oauth/testing/chromium';
import type { Visit } from '../../oauth/testing/chromium';
import { startPlatform } from '../../oauth/testing/platform';
import type { Platform } from '../../oauth/testing/platform';
import { comes, isPut } from '../../oauth/testing/waits';
import { administratorOf } from '../../webhooks/testing/administrator';
import { startReceiver } from '../../webhooks/testing/receiver';
import type { Receiver } from '../../webhooks/testing/receiver';

export type Who = 'administrator' | 'specialist' | 'end_user';

/** A platform with the console, a browser, and a receiver of webhooks. */
export interface Scene {
  readonly platform: Platform;
  readonly receiver: Receiver;
  readonly administrator: ReturnType<typeof administratorOf>;
  /**
   * A new profile in which a person of `wdc` is signed in at the console; `path` is relative to `/accounts/wdc`. It begins
   * with what the first profile of this person had after its sign-in, and signs in itself if that has ended.
   */
  enter(who: Who, path?: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Opens the callback of the `webhook.verify` that arrived at a path, as a receiver does. */
  openCallback(path: string): Promise<void>;
  /** Creates a verified webhook of `request.create` at `/<name>` of the receiver. Returns its number. */
  register(name: string): Promise<string>;
  /** Returns the number of the request. */
  createRequest(subject: string): Promise<string>;
  /** Resolves when a webhook has had that many failures in a row, and has skipped that many events. */
  waitForWebhook(id: string, expected: { readonly failures?: number; readonly skipped?: number }): Promise<void>;
  close(): Promise<void>;
}

const state = 'query ($id: ID!) { webhook(id: $id) { consecutiveFailures skipped { count } } }';
interface State {
  readonly webhook: { readonly consecutiveFailures: number; readonly skipped: { readonly count: number } };
}
const creation = `mutation ($subject: String!) {
  requestCreate(input: { subject: $subject }) { request { id } } }`;
interface Created {
  readonly requestCreate: { readonly request: { readonly id: string } };
}

interface SignedIn {
  readonly storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
  readonly at: number;
}
/** After half an hour some changes need another sign-in. A journey has twenty minutes left for them, however slow the machine is. */
const longestUse = 600_000;

export async function startScene(settings: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const [platform, chromium, receiver] = await Promise.all([startPlatform(settings), startChromium(), startReceiver()]);
  const visits: Visit[] = [];
  const signedIn = new Map<Who, SignedIn>();
  const administrator = administratorOf(platform);
  async function openCallback(path: string): Promise<void> {
    const { body } = await receiver.next(path);
    const { callback } = body['payload'] as { readonly callback: string };
    const answer = await fetch(callback, { headers: { Accept: 'application/json' } });
    if (!answer.ok) throw new Error(`The callback answered ${answer.status}: ${await answer.text()}`);
  }
  return {
    platform,
    receiver,
    async enter(who, path = '', options = {}) {
      const known = signedIn.get(who);
      const isLately = known !== undefined && performance.now() - known.at < longestUse;
      const visit = await chromium.open({ ...options, ...(isLately && { storageState: known.storageState }) });
      visits.push(visit);
      const { page, context } = visit;
      const frame = page.getByRole('navigation', { name: 'Console' });
      const form = page.getByLabel('E-mail address');
      await page.goto(`${platform.origin}/accounts/wdc${path}`);
      await isPut(frame.or(form));
      if ((await form.count()) > 0) {
        await signIn(page, platform.demo.accounts.wdc[who]);
        await isPut(frame);
        signedIn.set(who, { storageState: await context.storageState(), at: performance.now() });
      }
      // Before the sign-in the page asked for the session and got a 401, which Chromium reports.
      (visit.complaints as string[]).length = 0;
      return visit;
    },
    administrator,
    openCallback,
    async register(name) {
      const path = `/${name}`;
      const { id } = await administrator.post('/v1/webhooks', {
        name,
        event: 'request.create',
        uri: receiver.uriOf(path),
      });
      await openCallback(path);
      return String(id);
    },
    async createRequest(subject) {
      const { requestCreate } = await administrator.graphql<Created>(creation, { subject });
      const { id } = requestCreate.request;
      return Buffer.from(id, 'base64url').toString().split('/').at(-1) ?? '';
    },
    async waitForWebhook(id, { failures = 0, skipped = 0 }) {
      await waitUntil(`${failures} failures and ${skipped} skipped events of webhook ${id}`, async () => {
        const { webhook } = await administrator.graphql<State>(state, { id });
        return webhook.consecutiveFailures >= failures && webhook.skipped.count >= skipped;
      });
    },
    async close() {
      for (const visit of visits) await visit.close();
      await chromium.close();
      receiver.close();
      await platform.stop();
      await platform.remove();
    },
  };
}

/** Fills in the sign-in page of the authorization server, to which the console redirects. */
export async function signIn(page: Page, person: { readonly email: string; readonly password: string }): Promise<void> {
  const address = page.getByLabel('E-mail address');
  await comes(address);
  await address.fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
