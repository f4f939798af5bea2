import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

withChromium('the columns of a list', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const headings = async (page: Page): Promise<readonly string[]> =>
    (await page.getByRole('columnheader').allInnerTexts()).filter((heading) => heading !== 'Select');
  const columns = (page: Page) => page.getByRole('button', { name: 'Columns', exact: true });

  test('a specialist chooses and orders columns by keys; they stay over views, in files and in saved lists', async () => {
    const visit = await scene.enter('specialist', '/requests');
    const { page } = visit;
    const texts = new Set<string>();
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (body.includes('query requestList(')) texts.add((JSON.parse(body) as { query: string }).query);
    });
    await comes(page.getByRole('table', { name: 'Requests' }));
    expect(await headings(page)).toEqual(['Subject', 'Status', 'Priority', 'Team', 'Member', 'Updated']);
    await columns(page).focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Columns' });
    await comes(menu.getByRole('checkbox', { name: 'Requested for' }));
    expect(await menu.getByRole('button', { name: 'Reset' }).count()).toBe(0);
    await menu.getByRole('checkbox', { name: 'Priority' }).focus();
    await page.keyboard.press('Space');
    await menu.getByRole('checkbox', { name: 'Requested for' }).focus();
    await page.keyboard.press('Space');
    const up = menu.getByRole('button', { name: 'Move Requested for up' });
    await up.focus();
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('Enter');
      await comes(up.and(page.locator(':focus')));
    }
    await page.waitForURL(/\?cols=requested_for%2Cstatus%2Cteam%2Cmember%2Cupdated_at$/);
    await page.keyboard.press('Escape');
    await goes(menu);
    await comes(columns(page).and(page.locator(':focus')));
    const chosen = ['Subject', 'Requested for', 'Status', 'Team', 'Member', 'Updated'];
    expect(await headings(page)).toEqual(chosen);

    await page
      .getByRole('navigation', { name: 'Views of requests' })
      .getByRole('link', { name: /^All \d/ })
      .click();
    await page.waitForURL(/view=current_account&cols=requested_for/);
    await goes(page.locator('.is-old'));
    expect(await headings(page)).toEqual(chosen);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /CSV$/ }).click(),
    ]);
    expect((await text(await file.createReadStream())).split('\r\n')[0]).toBe(`Number,${chosen.join(',')}`);

    await page.getByRole('button', { name: 'Saved lists' }).click();
    await page.getByRole('menuitem', { name: /^Save this list/ }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('For whom');
    await page.keyboard.press('Control+Enter');
    await comes(page.getByRole('button', { name: 'For whom, saved list' }));
    await columns(page).click();
    await menu.getByRole('button', { name: 'Reset' }).click();
    await page.waitForURL(/\?view=current_account$/);
    expect(await headings(page)).toEqual(['Subject', 'Status', 'Priority', 'Team', 'Member', 'Updated']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Saved lists' }).click();
    await page.getByRole('menuitem', { name: /^For whom/ }).click();
    await page.waitForURL(/cols=requested_for/);
    await goes(page.locator('.is-old'));
    expect(await headings(page)).toEqual(chosen);
    // One text for the platform, however the columns are chosen.
    expect(texts.size).toBe(1);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test('a column that a list does not have is named, and an end user is offered what concerns them', async () => {
    const { page } = await scene.enter('end_user', '/requests?cols=status,zeppelin,completion_reason');
    await comes(page.getByRole('button', { name: /^cols=status,zeppelin,completion_reason has no effect/ }));
    await comes(page.getByRole('columnheader', { name: 'Status' }));
    await columns(page).click();
    const menu = page.getByRole('dialog', { name: 'Columns' });
    await comes(menu.getByRole('checkbox', { name: 'Status' }));
    expect(await menu.getByRole('checkbox', { name: /Category|Problem|Impact/ }).count()).toBe(0);
  });
});
