import { text } from 'node:stream/consumers';
import { withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

withChromium('the list of people', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  test('a specialist finds somebody by a part of their address, opens their page by keys, and comes back', async () => {
    const visit = await scene.enter('specialist');
    const { page } = visit;
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'People' }).click();
    await comes(page.getByRole('heading', { level: 2, name: /^\d+ people$/ }));
    const row = page.getByRole('table', { name: 'People' }).getByRole('row').filter({ hasText: 'Ellen' });
    await comes(row.getByText('Account administrator', { exact: false }));
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Name',
      'Primary email',
      'Roles',
      'Disabled',
      'Updated',
    ]);
    // Neither selected nor created here.
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('link', { name: /^New/ }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Words in the name or primary email' }).fill('owar');
    await comes(page.getByRole('heading', { level: 2, name: '1 person' }));
    await page.waitForURL(/\/people\?q=owar$/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(await text(await file.createReadStream())).toMatch(/Howard Tanner,[^,]+@[^,]+,"?Specialist/);
    await page.locator('h1').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    await comes(page.getByRole('heading', { level: 1, name: 'Howard Tanner' }));
    await comes(page.getByText('Primary email'));
    expect(await page.getByText('GraphQL ID').count()).toBe(0);
    await page.keyboard.press('u');
    await page.waitForURL(/\/people\?q=owar$/);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test('each view and order can be asked for, and a list is kept', async () => {
    const visit = await scene.enter('administrator', '/people');
    const { page } = visit;
    const views = page.getByRole('navigation', { name: 'Views of people' });
    await comes(views.getByRole('link', { name: /^Enabled \d/ }).and(page.locator('[aria-current=page]')));
    for (const name of [/^Directory/, /^Support domain/, /^Disabled/, /^All/]) {
      await views.getByRole('link', { name }).click();
      await comes(views.getByRole('link', { name }).and(page.locator('[aria-current=page]')));
      await goes(page.locator('.is-old'));
      expect(await page.getByText('This could not be loaded.').count()).toBe(0);
    }
    await page.getByRole('button', { name: /Order/ }).click();
    await page.getByRole('option', { name: 'By name' }).click();
    await page.waitForURL(/view=current_account&sort=name$/);
    await goes(page.locator('.is-old'));
    const names = await page.locator('tbody .main-cell a').allInnerTexts();
    expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
    await page.getByRole('button', { name: 'Saved lists' }).click();
    await page.getByRole('menuitem', { name: /^Save this list/ }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('By name');
    await page.keyboard.press('Control+Enter');
    await comes(page.getByRole('button', { name: 'By name, saved list' }));
    await page.getByRole('table', { name: 'People' }).getByRole('link', { name: 'Howard Tanner' }).click();
    await page.getByText('For integrations').click();
    await comes(page.getByText('GraphQL ID'));
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test('an end user is refused in words, and nobody is in what they get', async () => {
    const visit = await scene.enter('end_user');
    const { page } = visit;
    const answers: Promise<string>[] = [];
    page.on('response', (response) => answers.push(response.text().catch(() => '')));
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
    await page.goto(`${scene.platform.origin}/accounts/wdc/people`);
    await comes(page.getByText('You do not have access.'));
    await page.waitForLoadState('networkidle');
    expect((await Promise.all(answers)).filter((body) => body.includes('Howard Tanner'))).toEqual([]);
    await visit.close();
  });
});
