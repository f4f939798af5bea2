import { testInChromium, withChromium } from '../oauth/testing/chromium';
import { auditPage } from '../oauth/testing/page-audit';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

withChromium('naming somebody in a note', () => {
  let scene: Scene;
  let number: string;
  beforeAll(async () => {
    scene = await startScene();
    number = await scene.createRequest('Wi-Fi drops in room B');
  });
  afterAll(() => scene.close());

  test('behind an @ people are offered by any part of a name or address, and who was chosen by keys is notified', async () => {
    const visit = await scene.enter('administrator', `/requests/${number}`);
    const { page } = visit;
    await comes(page.getByRole('heading', { name: 'Wi-Fi drops in room B' }));
    await page.keyboard.press('i');
    const text = page.getByRole('textbox', { name: 'Internal note' });
    await comes(text);
    await page.keyboard.type('Please look, @nner');
    const people = page.getByRole('listbox', { name: 'People to name' });
    await comes(people.getByRole('option', { name: /Howard Tanner/ }));
    await comes(page.getByRole('status').filter({ hasText: '1 person. Enter takes the marked one.' }));
    await page.keyboard.press('Enter');
    await goes(people);
    expect(await text.inputValue()).toBe('Please look, @Howard Tanner ');
    await page.keyboard.type('and @');
    await comes(people);
    await page.keyboard.press('Escape');
    await goes(people);
    await comes(text.and(page.locator(':focus')));
    // In an internal note nobody is offered who would not see it.
    await page.keyboard.type('grace');
    await goes(people);
    await page.keyboard.press('Control+Enter');
    const note = page.getByRole('listitem').filter({ hasText: 'Please look, @Howard Tanner and @grace' });
    await comes(note.getByRole('link', { name: '@Howard Tanner' }));
    expect(await auditPage(page, 'Wi-Fi drops in room B', 'console-mention')).toEqual([]);
    await visit.close();

    const other = await scene.enter('specialist', '/notices');
    await comes(other.page.getByText(`Ellen Brown named you in a note · Request ${number}`));
    await other.page.getByRole('link', { name: 'Wi-Fi drops in room B' }).click();
    await comes(other.page.getByRole('button', { name: 'Watching, notices of this request: Watch' }));
    await other.close();
  });

  testInChromium('on a phone the list is in the page, and a tap chooses', async () => {
    const visit = await scene.enter('administrator', `/requests/${number}`, { hasTouch: true });
    const { page } = visit;
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: /^Reply/ }).tap();
    const text = page.getByRole('textbox', { name: 'Reply' });
    await text.fill('Hello @');
    const option = page.getByRole('option', { name: /Grace Lin/ });
    await comes(option);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await option.tap();
    expect(await text.inputValue()).toBe('Hello @Grace Lin ');
    await visit.close();
  });
});
