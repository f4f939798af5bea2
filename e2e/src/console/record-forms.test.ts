import type { Page } from 'playwright-core';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { testInChromium, withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

withChromium('files and custom fields of records', () => {
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
        if (fileName === 'of-a-text.png') given.setData('text/plain', 'a line');
        const init = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { ...init, dataTransfer: given })
            : new ClipboardEvent('paste', { ...init, clipboardData: given }),
        );
      },
      { how, name },
    );

  testInChromium(
    'a reply has files that were chosen, dropped and pasted; they outlive a reload, and the end user sees them',
    async () => {
      const people = (await scene.administrator.get('/v1/people')) as unknown as readonly {
        id: number;
        name: string;
      }[];
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
      await bring(page, 'paste', 'of-a-text.png');
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
      await page.getByRole('button', { name: 'Send to Grace Lin' }).click();
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
    },
  );

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
      { name: 'film.bin', mimeType: 'video/mp4', buffer: Buffer.alloc(3_000_000) },
    ]);
    await comes(page.getByText('3 files are attached.'));
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

  const laptop = {
    name: 'Order a laptop',
    category: 'request_template',
    form_definition: JSON.stringify({
      sections: [
        {
          name: 'The laptop',
          fields: [
            { id: 'model', type: 'radio', label: 'Model', required: true, options: ['14 inch', '16 inch'] },
            {
              id: 'why',
              type: 'textarea',
              label: 'Why a large one?',
              required: true,
              visible_when: { field: 'model', equals: '16 inch' },
            },
            { id: 'floor', type: 'number', label: 'Floor' },
            { id: 'pin', type: 'password', label: 'PIN of your badge' },
            { id: 'docked', type: 'checkbox', label: 'With a dock' },
          ],
        },
      ],
    }),
    html: '<h1>Canary</h1>',
    javascript: 'document.body.textContent = "Canary";',
    activate: true,
  };
  const choose = async (page: Page, label: RegExp, option: string): Promise<void> => {
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  test('an end user fills in a form with a condition; a specialist changes it, and others see what it has', async () => {
    const { id: extension } = await scene.administrator.post('/v1/ui_extensions', laptop);
    for (const other of [{ category: 'problem_template' }, { disabled: true }])
      await scene.administrator.post('/v1/ui_extensions', { ...laptop, name: 'Not offered', ...other });
    // Its fields come to the service of the records by a message.
    await waitUntil('the form', async () => {
      const given = {
        subject: 'A try',
        ui_extension_id: extension,
        custom_fields: [{ id: 'model', value: '14 inch' }],
      };
      return scene.administrator.post('/v1/requests', given).then(
        () => true,
        () => false,
      );
    });
    const theirs = await scene.enter('end_user', '/requests/new');
    const { page } = theirs;
    await page.getByRole('textbox', { name: 'Subject' }).fill('A laptop for the new colleague');
    await page.getByRole('button', { name: /Form/ }).click();
    // The extension of the demo has HTML alone.
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['None', 'Order a laptop']);
    await page.getByRole('option', { name: 'Order a laptop', exact: true }).click();
    await comes(page.getByRole('group', { name: 'The laptop' }));
    expect(await page.getByRole('textbox', { name: /^Why/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create request' }).click();
    await comes(page.getByRole('alert').getByText('“Model” is required.'));
    await choose(page, /Model/, '16 inch');
    await comes(page.getByRole('textbox', { name: /^Why/ }));
    await page.getByRole('textbox', { name: /^Floor/ }).fill('third');
    await page.getByLabel(/^PIN/).fill('1234');
    await page.getByRole('textbox', { name: /^Why/ }).fill('Large drawings.');
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('1234');
    await page.reload();
    await comes(page.getByText('Large drawings.'));
    await page.getByRole('button', { name: 'Create request' }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Floor is not a number' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('3');
    await page.getByRole('button', { name: 'Create request' }).click();
    await comes(page.getByRole('heading', { level: 1, name: 'A laptop for the new colleague' }));
    await comes(page.getByRole('heading', { name: 'Order a laptop' }));
    await comes(page.getByText('Large drawings.'));
    expect(await page.getByText('Canary').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Change these fields' }).count()).toBe(0);
    const number = page.url().split('/').at(-1);

    const visit = await scene.enter('specialist', `/requests/${number}`);
    await visit.page.getByRole('button', { name: 'Change these fields' }).click();
    await choose(visit.page, /Model/, '14 inch');
    await goes(visit.page.getByRole('textbox', { name: /^Why/ }));
    await visit.page.getByRole('checkbox', { name: 'With a dock' }).check();
    // Somebody else is faster.
    await scene.administrator.patch(`/v1/requests/${number}`, { custom_fields: [{ id: 'floor', value: 4 }] });
    await visit.page.getByRole('button', { name: 'Save' }).click();
    await comes(visit.page.getByRole('alert').getByText('Somebody has changed these fields since you looked.'));
    await visit.page.getByRole('button', { name: 'Save' }).click();
    await comes(visit.page.getByText('Saved.'));
    expect(await scene.administrator.get(`/v1/requests/${number}`)).toMatchObject({
      custom_fields: expect.arrayContaining([
        { id: 'docked', value: true },
        { id: 'floor', value: 4 },
        { id: 'model', value: '14 inch' },
      ]) as unknown,
    });
    expect([...theirs.complaints, ...visit.complaints].filter((text) => !/ 4(12|22) /.test(text))).toEqual([]);
  });
});
