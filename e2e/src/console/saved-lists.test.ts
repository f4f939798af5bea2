import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

withChromium('lists and texts that people keep', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const item = (page: Page, name: RegExp) => page.getByRole('menuitem', { name });
  const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();

  test('a list is saved, replaced, renamed and deleted; a name that is taken is refused at its field', async () => {
    const visit = await scene.enter('specialist', '/requests?view=assigned_to_me&status=accepted');
    const { page } = visit;
    await button(page, 'Saved lists').click();
    await item(page, /^Save this list/).click();
    await save(page);
    await comes(page.getByRole('alert').getByRole('link', { name: 'Give it a name.' }));
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await page.keyboard.press('Control+Enter');
    await comes(button(page, 'Mine, saved list'));
    // Instead of the view that it is part of.
    expect(await page.locator('.list-views [aria-current]').count()).toBe(0);

    await page.goto(`${scene.platform.origin}/accounts/wdc/requests?status=in_progress&view=assigned_to_me`);
    await button(page, 'Saved lists').click();
    await item(page, /^Save this list/).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await save(page);
    await comes(page.getByRole('dialog').getByText('Name has already been taken').first());
    await page.keyboard.press('Escape');
    await button(page, 'Saved lists').click();
    await item(page, /^Replace Mine/).click();
    await comes(button(page, 'Mine, saved list'));

    await button(page, 'Mine, saved list').click();
    await item(page, /^Change…/).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('In work');
    await save(page);
    await comes(button(page, 'In work, saved list'));
    await page.goto(`${scene.platform.origin}/accounts/wdc/tasks`);
    await button(page, 'Saved lists').click();
    await comes(item(page, /^Save this list/));
    // Lists of requests are not among those of tasks.
    expect(await item(page, /^In work/).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.goto(`${scene.platform.origin}/accounts/wdc/requests`);
    await button(page, 'Saved lists').click();
    await item(page, /^In work/).click();
    await page.waitForURL(/status=in_progress/);
    await button(page, 'In work, saved list').click();
    await item(page, /^Change…/).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await comes(button(page, 'Saved lists'));
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test('a text that is written is kept, and put below what is written in another note; the note itself is not sent by it', async () => {
    const visit = await scene.enter('specialist', '/requests/2');
    const { page } = visit;
    await comes(button(page, /^Internal note/));
    await page.keyboard.press('i');
    const note = page.getByRole('textbox', { name: 'Internal note' });
    await note.fill('Restart it, then wait a minute.');
    await button(page, 'Templates of text').click();
    await item(page, /^New template/).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Restart');
    await page.keyboard.press('Control+Enter');
    await goes(page.getByRole('dialog'));
    await comes(page.getByText('Restart is saved.'));
    expect(await note.inputValue()).toBe('Restart it, then wait a minute.');
    await button(page, 'Discard').click();
    await page.keyboard.press('i');
    await note.fill('Seen by all.');
    await button(page, 'Templates of text').click();
    await item(page, /^Restart/).click();
    expect(await note.inputValue()).toBe('Seen by all.\n\nRestart it, then wait a minute.');
    await button(page, 'Templates of text').click();
    await item(page, /^Change Restart/).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await goes(page.getByRole('dialog'));
    await button(page, 'Templates of text').click();
    await comes(item(page, /^New template/));
    expect(await item(page, /Restart/).count()).toBe(0);
    expect(await scene.administrator.get('/v1/requests/2/notes')).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  test('end users have neither', async () => {
    const { page } = await scene.enter('end_user', '/requests');
    await comes(page.getByRole('heading', { level: 1 }));
    expect(await page.getByRole('button', { name: /Saved lists|Templates/ }).count()).toBe(0);
  });
});
