import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import type { Visit } from '../oauth/testing/chromium';
import { comes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

const path = '/newcomer';

/** In sequence, in one browser that has only the console open. */
withChromium('the first ten minutes of a newcomer', () => {
  let scene: Scene;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    scene = await startScene();
    visit = await scene.enter('administrator');
    ({ page } = visit);
  });
  afterAll(() => scene.close());
  afterEach(() => expect(visit.complaints).toEqual([]));

  const main = (): Locator => page.getByRole('main');
  const press = (name: string): Promise<void> => main().getByRole('button', { name, exact: true }).click();
  const follow = (name: string): Promise<void> => main().getByRole('link', { name, exact: true }).click();
  const goTo = (screen: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: screen }).click();
  /** The delivery of a record in the log: the event precedes the webhook, whose name contains it. */
  const deliveryAbout = (record: string): Locator =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: record, exact: true }) })
      .getByRole('link', { name: 'request.create' })
      .first();

  /** Returns the id of the request, as its receiver got it. */
  async function createByExplorer(subject: string): Promise<string> {
    await goTo('Explorer');
    await page.getByRole('textbox', { name: 'Query' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    // Chromium gives text that is typed over a selection the style of the replaced text, as an inline style that the
    // policy blocks.
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(
      `mutation { requestCreate(input: { subject: "${subject}" }) { request { id } errors { path message } } }`,
    );
    const price = page.getByRole('region', { name: 'Price' });
    await comes(price.getByText('point', { exact: true }));
    expect(await price.innerText()).toMatch(/^point\s+1\s/);
    await main().getByRole('button', { name: 'Run' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run a mutation in wdc?' });
    const answered = page.getByText('1 point, as estimated');
    await comes(dialog.or(answered));
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Run it' }).click();
    await comes(answered);
    return String((await scene.receiver.next(path)).body['object_id']);
  }

  test('registers a webhook, and the receiver verifies it', async () => {
    await follow('New webhook');
    await page.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: 'request.create' }).click();
    await page.getByLabel('Address').fill(scene.receiver.uriOf(path));
    await press('Register');
    await comes(page.getByText('Unverified', { exact: true }));
    await scene.openCallback(path);
    await comes(page.getByText('Active', { exact: true }));
  });

  test('creates a request, whose price is shown first, and sees its delivery', async () => {
    const request = await createByExplorer('My first');
    await goTo('Deliveries');
    await deliveryAbout(request).click();
    await comes(page.getByText('Delivered', { exact: true }).first());
    await main()
      .getByRole('link', { name: new RegExp(`${request}$`) })
      .waitFor();
  });

  test('finds out why a request was not delivered, fixes the receiver, and recovers missed deliveries', async () => {
    scene.receiver.answer(path, 500);
    const request = await createByExplorer('Missed');
    // The second attempt follows after seconds, the third after minutes.
    await scene.receiver.next(path);
    await goTo('Deliveries');
    await deliveryAbout(request).click();
    await comes(page.getByText('Attempt 3 of 10'));
    await comes(page.getByText('The receiver answered 500.').first());
    await follow('Why?');
    await comes(main().getByText('Not delivered yet. Another attempt follows.').first());

    scene.receiver.answer(path, 204);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'request.create' }).click();
    await press('More actions');
    await page.getByRole('menuitem', { name: 'Recover missed events' }).click();
    await comes(page.getByRole('checkbox', { name: '1 waiting after a failure' }));
    await press('Send 1');
    await comes(page.getByText('1 requested, 1 delivered'));
    expect(String((await scene.receiver.next(path)).body['object_id'])).toBe(request);
  });

  test('creates an application, and copies calls that get a token and use it', async () => {
    await goTo('Home');
    await follow('New application');
    await page.getByRole('radio', { name: 'Background service' }).check();
    await page.getByLabel('Name', { exact: true }).fill('Nightly report');
    await page.getByRole('combobox', { name: 'Acts as' }).click();
    await page.getByRole('option', { name: 'Howard' }).first().click();
    await press('Read requests');
    await press('Create application');
    await comes(page.getByRole('heading', { level: 1, name: 'Nightly report' }));
    const script = [await copied('the token call'), await copied('the first call')].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
    const [token, answer] = stdout.trim().split('\n');
    expect(JSON.parse(token ?? '')).toMatchObject({ token_type: 'bearer' });
    expect(JSON.parse(answer ?? '')).toMatchObject({
      data: { me: { name: expect.stringContaining('Howard') }, requests: { nodes: expect.any(Array) } },
    });
  });

  async function copied(what: string): Promise<string> {
    await press(`Copy ${what}`);
    await main()
      .getByRole('button', { name: `Copied ${what}` })
      .waitFor();
    const elsewhere = await visit.context.newPage();
    await elsewhere.setContent('<textarea aria-label="Terminal"></textarea>');
    const terminal = elsewhere.getByLabel('Terminal');
    await terminal.press('ControlOrMeta+v');
    const text = await terminal.inputValue();
    await elsewhere.close();
    return text;
  }
});
