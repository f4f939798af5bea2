import type { Page } from 'playwright-core';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

withChromium('files of notes', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const fileInput = (page: Page) => page.locator('input[type=file]');
  const fileNames = (page: Page) => page.getByRole('list', { name: 'Files of this note' }).locator('.file-name');
  /** A file comes as it does from another window. */
  const bring = (page: Page, how: 'drop' | 'paste', name: string) =>
    page.getByRole('textbox', { name: 'Reply' }).evaluate(
      (element, { how: kind, name: fileName }) => {
        const given = new DataTransfer();
        given.items.add(new File(['a line'], fileName));
        const init = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { ...init, dataTransfer: given })
            : new ClipboardEvent('paste', { ...init, clipboardData: given }),
        );
      },
      { how, name },
    );

  test('a reply has files that were chosen, dropped and pasted; they outlive a reload, and the end user sees them', async () => {
    const people = (await scene.administrator.get('/v1/people')) as unknown as readonly { id: number; name: string }[];
    const grace = people.find(({ name }) => name === 'Grace Lin')?.id;
    const { id: number } = await scene.administrator.post('/v1/requests', {
      subject: 'The badge does not open the door',
      requested_by_id: grace,
      requested_for_id: grace,
    });
    const { page } = await scene.enter('specialist', `/requests/${String(number)}`);
    await comes(page.getByRole('button', { name: 'Take over' }));
    await page.keyboard.press('r');
    await page.keyboard.type('The new badge, and how to use it.');
    await fileInput(page).setInputFiles([
      { name: 'badge.png', mimeType: 'image/png', buffer: png },
      { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.of() },
    ]);
    await bring(page, 'drop', 'guide.txt');
    await bring(page, 'paste', 'log.txt');
    await comes(page.getByRole('alert').getByText('It is empty.'));
    await comes(page.getByText('3 files are attached.'));
    await page.keyboard.press('Control+Enter');
    await comes(page.getByRole('alert').getByText('A file is not there yet: wait for it, or remove it.'));
    await page.getByRole('button', { name: 'Remove empty.txt' }).click();
    await page.getByRole('button', { name: 'Remove log.txt' }).click();
    await goes(page.getByText('empty.txt'));
    await page.reload();
    await comes(fileNames(page).getByText('guide.txt'));
    expect((await fileNames(page).allInnerTexts()).map((text) => text.split('\n')[0]).sort()).toEqual([
      'badge.png',
      'guide.txt',
    ]);
    await page.getByRole('button', { name: 'Send reply' }).click();
    await comes(page.getByRole('img', { name: 'badge.png' }));

    const theirs = await scene.enter('end_user', `/requests/${String(number)}`);
    const picture = theirs.page.getByRole('img', { name: 'badge.png' });
    await comes(picture);
    await waitUntil('the picture', () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth === 1));
    const [download] = await Promise.all([
      theirs.page.waitForEvent('download'),
      theirs.page.getByRole('link', { name: /^guide\.txt/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('guide.txt');
    expect(theirs.complaints).toEqual([]);
    await theirs.close();
  });

  test('an end user asks for something with a photo from a phone; files need a note', async () => {
    const visit = await scene.enter('end_user', '/requests/new');
    const { page } = visit;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('textbox', { name: 'Subject' }).fill('My screen is broken');
    // It has a segment that tells of a place, and nothing to see.
    const exif = Buffer.from('\xff\xe1\0\x11Exif\0\0GPS 52.37', 'latin1');
    const place = Buffer.concat([Buffer.from('\xff\xd8', 'latin1'), exif, Buffer.from('\xff\xda\0\x02', 'latin1')]);
    await fileInput(page).setInputFiles([
      { name: 'photo.png', mimeType: 'image/png', buffer: png },
      { name: 'place.jpg', mimeType: 'image/jpeg', buffer: place },
    ]);
    await comes(page.getByText('2 files are attached.'));
    await page.getByRole('button', { name: 'Create request' }).click();
    await comes(page.getByRole('alert').getByText('Write a note for the files.'));
    await page.getByRole('textbox', { name: /^Note/ }).fill('It fell.');
    await page.getByRole('button', { name: 'Create request' }).click();
    await comes(page.getByRole('heading', { level: 1, name: 'My screen is broken' }));
    await comes(page.getByRole('img', { name: 'photo.png' }));
    const stored = await fetch(
      await page.getByRole('link', { name: 'place.jpg' }).evaluate(({ href }: HTMLAnchorElement) => href),
    );
    expect([stored.headers.get('content-type'), Buffer.from(await stored.arrayBuffer()).toString('latin1')]).toEqual([
      'image/jpeg',
      '\xff\xd8\xff\xda\0\x02',
    ]);
    expect(visit.complaints).toEqual([]);
  });
});
