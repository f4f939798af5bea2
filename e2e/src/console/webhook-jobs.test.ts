import type { Locator, Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';
import { optionOf, stepsByKeyboard, stepsByMouse } from './testing/steps';
import type { Steps } from './testing/steps';

const ways: readonly { readonly way: string; readonly stepsOf: (page: Page) => Steps }[] = [
  { way: 'mouse', stepsOf: stepsByMouse },
  { way: 'keyboard', stepsOf: stepsByKeyboard },
];

/** Each starts at the home page, signed in. */
withChromium('jobs of somebody who integrates by webhooks', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const button = (page: Page, name: string): Locator => page.getByRole('main').getByRole('button', { name });
  const link = (page: Page, name: string): Locator => page.getByRole('main').getByRole('link', { name, exact: true });
  const toWebhook = (page: Page, name: string): Locator =>
    page.getByRole('region', { name: 'Webhooks that need attention' }).getByRole('link', { name });

  test.each(ways)('by $way: register a webhook, have it verified, see its first delivery', async ({ way, stepsOf }) => {
    const { page, complaints } = await scene.enter('administrator');
    const steps = stepsOf(page);
    const path = `/first-${way}`;
    await steps.click(link(page, 'New webhook'));
    await steps.choose(page.getByRole('combobox', { name: 'Event' }), 'problem.create');
    await steps.fill(page.getByLabel('Address'), scene.receiver.uriOf(path));
    await steps.click(button(page, 'Register'));
    await comes(page.getByText('Unverified'));
    await scene.openCallback(path);
    await comes(page.getByText('Active', { exact: true }));
    await steps.click(button(page, 'Send test'));
    await comes(page.getByText(/The test was delivered: 204/));
    await steps.click(link(page, 'Open the delivery'));
    await comes(page.getByRole('heading', { level: 1, name: 'problem.create → problem.create' }));
    await comes(page.getByText('Delivered', { exact: true }).first());
    expect((await scene.receiver.next(path)).body).toMatchObject({ event: 'problem.create' });
    expect(steps.count).toBeLessThanOrEqual(6);
    expect(complaints).toEqual([]);
  });

  test.each(ways)('by $way: why was a request not delivered', async ({ way, stepsOf }) => {
    const name = `why-${way}`;
    const id = await scene.register(name);
    await scene.administrator.patch(`/v1/webhooks/${id}`, { disabled: true });
    const request = await scene.createRequest('Where is it?');
    await scene.waitForWebhook(id, { skipped: 1 });
    const { page, complaints } = await scene.enter('administrator');
    const steps = stepsOf(page);
    await steps.click(toWebhook(page, name));
    await steps.click(link(page, 'Why?'));
    await steps.fill(page.getByRole('textbox', { name: 'Record' }), request);
    await steps.press('Enter');
    const verdict = page.getByRole('main').getByRole('listitem').filter({ hasText: 'request.create' }).first();
    await comes(verdict.getByText('Skipped', { exact: true }));
    await comes(verdict.getByRole('link', { name: `Activate ${name} first` }));
    expect(steps.count).toBeLessThanOrEqual(4);
    expect(complaints).toEqual([]);
    await scene.administrator.patch(`/v1/webhooks/${id}`, { disabled: false });
  });

  test.each(ways)(
    'by $way: after an outage, failed and skipped deliveries are sent again',
    async ({ way, stepsOf }) => {
      const name = `outage-${way}`;
      const path = `/${name}`;
      const id = await scene.register(name);
      scene.receiver.answer(path, 410);
      const failed = await scene.createRequest('During the outage');
      await scene.waitForWebhook(id, { failures: 1 });
      // The 410 also disables it, a moment later.
      await scene.administrator.patch(`/v1/webhooks/${id}`, { disabled: true });
      const skipped = await scene.createRequest('While it was disabled');
      await scene.waitForWebhook(id, { skipped: 1 });
      scene.receiver.answer(path, 204);
      await scene.receiver.next(path);

      const { page, complaints } = await scene.enter('administrator');
      const steps = stepsOf(page);
      await steps.click(toWebhook(page, name));
      await steps.click(button(page, 'Enable and review skipped events'));
      await steps.click(button(page, 'Last 24 hours'));
      await comes(page.getByRole('checkbox', { name: '1 failed or stopped' }));
      await comes(page.getByRole('checkbox', { name: '1 held back, never sent' }));
      await steps.click(button(page, 'Send 2'));
      await comes(page.getByText('2 requested, 2 delivered'));
      const again = [await scene.receiver.next(path), await scene.receiver.next(path)];
      expect(again.map(({ body }) => String(body['object_id'])).sort()).toEqual([failed, skipped].sort());
      expect(steps.count).toBeLessThanOrEqual(5);
      expect(complaints).toEqual([]);
    },
  );

  test.each(ways)('by $way: one waiting delivery is retried now', async ({ way, stepsOf }) => {
    const name = `waiting-${way}`;
    const path = `/${name}`;
    const id = await scene.register(name);
    scene.receiver.answer(path, 500);
    const request = await scene.createRequest('Try me again');
    // The third attempt is minutes away.
    await scene.waitForWebhook(id, { failures: 2 });
    scene.receiver.answer(path, 204);
    for (let calls = 0; calls < 2; calls += 1) await scene.receiver.next(path);

    const { page, complaints } = await scene.enter('administrator');
    const steps = stepsOf(page);
    await steps.click(toWebhook(page, name));
    await steps.click(
      page.getByRole('table', { name: `Deliveries of ${name}` }).getByRole('link', { name: 'request.create' }),
    );
    await steps.click(button(page, 'Retry now'));
    await comes(page.getByText('Delivered', { exact: true }).first());
    expect((await scene.receiver.next(path)).body).toMatchObject({ object_id: Number(request) });
    expect(steps.count).toBeLessThanOrEqual(3);
    expect(complaints).toEqual([]);
  });

  test('the list of events may be opened before the events are loaded', async () => {
    const { page } = await scene.enter('administrator');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('WebhookEvents')) await held;
      await route.continue();
    });
    await link(page, 'New webhook').click();
    await page.getByRole('combobox', { name: 'Event' }).click();
    await comes(page.getByText('Loading…'));
    release();
    await optionOf(page, 'problem.create').click();
    await page.context().close();
  });

  test('an event that is typed in full is taken when the field is left, by the keyboard and by a click elsewhere', async () => {
    const { page } = await scene.enter('administrator');
    await link(page, 'New webhook').click();
    const event = page.getByRole('combobox', { name: 'Event' });
    await event.click();
    await comes(optionOf(page, 'problem.create'));
    for (const [text, leave] of [
      ['request.update', () => page.keyboard.press('Tab')],
      ['problem.create', () => page.locator('h1').click()],
    ] as const) {
      await event.fill(text);
      await comes(optionOf(page, text));
      await leave();
      await goes(page.getByRole('listbox'));
      expect(await event.inputValue()).toBe(text);
    }
    await page.context().close();
  });

  test('a webhook that was deleted elsewhere is gone from its page after the next thing that is done there', async () => {
    const number = await scene.register('deleted-elsewhere');
    const { page } = await scene.enter('administrator', `/webhooks/${number}`);
    await comes(page.getByText('Active', { exact: true }).first());
    // Only what the page does itself may tell it.
    await page.clock.install();
    await scene.administrator.remove(`/v1/webhooks/${number}`);
    await page.getByRole('button', { name: 'Send test' }).click();
    await comes(page.getByRole('heading', { level: 1, name: `Webhook ${number}` }));
    await goes(page.getByRole('button', { name: 'Send test' }));
    await page.context().close();
  });
});
