import { withChromium } from '../oauth/testing/chromium';
import { comes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

withChromium('finding the deliveries of a record, and what became of them', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  test('explains why a request was not delivered, for all webhooks of the account', async () => {
    const listening = await scene.register('everywhere-on');
    const skipping = await scene.register('everywhere-off');
    await scene.administrator.patch(`/v1/webhooks/${skipping}`, { disabled: true });
    const request = await scene.createRequest('Who heard of it?');
    await scene.waitForWebhook(skipping, { skipped: 1 });
    await scene.receiver.next('/everywhere-on');
    const { page, complaints } = await scene.enter('administrator', '/webhooks');
    await page.getByRole('main').getByRole('link', { name: 'Why?', exact: true }).click();
    await page.getByRole('textbox', { name: 'Record' }).fill(`requests/${request}`);
    await page.keyboard.press('Enter');
    const webhook = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name }).last();
    await comes(webhook('everywhere-off').getByText('Skipped', { exact: true }));
    await comes(webhook('everywhere-on').getByText('Delivered', { exact: true }));
    await webhook('everywhere-off').getByRole('link', { name: 'everywhere-off' }).click();
    await comes(page.getByRole('heading', { level: 1, name: 'Why was it not delivered to everywhere-off?' }));
    await comes(page.getByRole('link', { name: 'Activate everywhere-off first' }));
    expect(complaints).toEqual([]);
    expect(listening).not.toBe(skipping);
  });

  test('bracket keys go through the list that was shown before, except in fields', async () => {
    await scene.register('neighbours');
    for (const subject of ['First', 'Second', 'Third']) {
      await scene.createRequest(subject);
      await scene.receiver.next('/neighbours');
    }
    const { page } = await scene.enter('administrator', '/deliveries?event=request.create');
    const links = page.getByRole('table', { name: 'Deliveries' }).locator('.main-cell a');
    await comes(links.nth(2));
    const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
    const isAt = (index: number) => page.waitForURL((url) => url.pathname === addresses[index]);
    await links.nth(1).click();
    await comes(page.getByRole('heading', { level: 2, name: 'About', exact: true }));
    await page.keyboard.press(']');
    await isAt(2);
    await page.keyboard.press('[');
    await isAt(1);
    await page.keyboard.press('[');
    await isAt(0);
    await page.keyboard.press('[');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('searchbox', { name: 'Search' });
    await field.focus();
    await page.keyboard.type(']]');
    expect(await field.inputValue()).toBe(']]');
    await isAt(0);
  });

  test('deliveries of a request exclude those of other records with the same number', async () => {
    const id = await scene.register('numbers');
    const request = await scene.createRequest('One number');
    await scene.receiver.next('/numbers');
    const { page } = await scene.enter('administrator', `/deliveries?webhook=${id}&object=requests/${request}`);
    await comes(page.getByRole('heading', { level: 2, name: '1 delivery' }));
    await page.getByRole('textbox', { name: 'Record' }).fill(`tasks/${request}`);
    await comes(page.getByText('Nothing matches.'));
    await page.getByRole('textbox', { name: 'Record' }).fill(request);
    await comes(page.getByRole('heading', { level: 2, name: '1 delivery' }));
  });

  test('the chart follows the state and the webhook of the list, and says what it does not follow', async () => {
    const id = await scene.register('gone');
    scene.receiver.answer('/gone', 410);
    await scene.createRequest('Nobody takes it');
    await scene.receiver.next('/gone');
    const { page } = await scene.enter('administrator', `/deliveries?webhook=${id}`);
    const chart = page.getByRole('region', { name: 'Per hour' });
    await page.getByRole('heading', { level: 2, name: '2 deliveries' }).waitFor();
    const legend = () => chart.getByRole('list').innerText();
    await chart.getByText('1 failed or stopped', { exact: true }).waitFor();
    expect((await legend()).split('\n')).toEqual(['1 delivered', '0 waiting', '1 failed or stopped']);
    const choose = async (filter: string, option: string): Promise<void> => {
      await page.getByRole('search').getByRole('button', { name: filter }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('State', 'Failed');
    await page.getByRole('heading', { level: 2, name: '1 delivery' }).waitFor();
    expect((await legend()).split('\n')).toEqual(['1 failed']);
    expect(await chart.getByRole('columnheader').allInnerTexts()).toEqual(['Hour', 'failed']);
    await choose('State', 'All states');
    await choose('Event', 'webhook.verify');
    await chart.getByText('It does not follow: Event.').waitFor();
    await chart.getByText('1 failed or stopped', { exact: true }).waitFor();
  });
});
