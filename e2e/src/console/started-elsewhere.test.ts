import { startHttpReceiver } from '@itsm/shared/testing/receiver-kit';
import type { Receiver } from '@itsm/shared/testing/receiver-kit';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes } from '../oauth/testing/waits';
import { signIn, startScene } from './testing/scene';
import type { Scene } from './testing/scene';

const rounds = 6;
const atOnce = 5;
/** Of a path that a sign-in returns to. */
const longestPath = 300;

withChromium('sign-ins that a page of another site starts', () => {
  let scene: Scene;
  let elsewhere: Receiver;
  beforeAll(async () => {
    scene = await startScene();
    elsewhere = await startHttpReceiver((_req, res) => res.setHeader('Content-Type', 'text/html').end('<h1>Hi</h1>'));
  });
  afterAll(async () => {
    await elsewhere.close();
    await scene.close();
  });

  /** The page elsewhere opens windows at once; resolves when each of them asks for a password. */
  async function openWindows(page: Page, addresses: readonly string[]): Promise<void> {
    const opened: Page[] = [];
    const note = (window: Page): number => opened.push(window);
    page.context().on('page', note);
    await page.evaluate((all) => all.forEach((address) => open(address, '_blank')), addresses);
    await waitUntil('the windows', () => opened.length === addresses.length);
    page.context().off('page', note);
    for (const window of opened) {
      await comes(window.getByLabel('Password'));
      await window.close();
    }
  }

  test('the console can be used after many of them, and signed in at again', async () => {
    const { page, context } = await scene.enter('specialist');
    const statuses = new Set<number>();
    context.on('response', (answer) => statuses.add(answer.status()));
    // At auth the sign-in is over, so the windows wait for a password, and what is kept of them stays.
    await context.clearCookies({ name: 'session' });
    const foreign = await context.newPage();
    await foreign.goto(`http://127.0.0.1:${elsewhere.port}/`);
    for (let round = 0; round < rounds; round += 1)
      await openWindows(
        foreign,
        Array.from({ length: atOnce }, (_none, n) => {
          // As long as what is kept of it may be.
          const next = `/${round}${n}`.padEnd(longestPath, 'x');
          return `${scene.platform.origin}/console/sign-in?${new URLSearchParams({ next }).toString()}`;
        }),
      );
    const attempts = async () => (await context.cookies()).filter(({ name }) => name.includes('login'));
    expect((await attempts()).length).toBe(3);

    await page.reload();
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await comes(navigation);
    await context.clearCookies({ name: 'console' });
    await page.goto(`${scene.platform.origin}/`);
    await signIn(page, scene.platform.demo.accounts.wdc.specialist);
    await comes(navigation);
    expect(new URL(page.url()).pathname).toBe('/accounts/wdc');
    expect([...statuses]).not.toContain(431);
  });
});
