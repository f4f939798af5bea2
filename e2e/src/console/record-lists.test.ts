import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { testInChromium, withChromium } from '../oauth/testing/chromium';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

const creation = `mutation ($subject: String!) { requestCreate(input: { subject: $subject, teamId: "1" }) {
  request { number } errors { message } } }`;
interface Created {
  readonly requestCreate: { readonly request: { readonly number: number } };
}

withChromium('the lists of records', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const ask = async (subject: string): Promise<number> =>
    (await scene.administrator.graphql<Created>(creation, { subject })).requestCreate.request.number;
  const view = (page: Page, name: RegExp) =>
    page.getByRole('navigation', { name: 'Views of requests' }).getByRole('link', { name });
  const row = (page: Page, name: string) => page.getByRole('table', { name: 'Requests' }).getByRole('link', { name });

  test('a specialist finds a request that nobody has, takes it over by keys, and finds it among their own', async () => {
    const number = await ask('The scanner beeps');
    const visit = await scene.enter('specialist');
    const { page } = visit;
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Requests' }).click();
    await comes(view(page, /^Open \d/).and(page.locator('[aria-current=page]')));
    await view(page, /^Unassigned \d/).click();
    await page.waitForURL(/\/requests\?view=unassigned$/);
    // The last changed is the first row.
    await comes(row(page, 'The scanner beeps'));
    await page.keyboard.press('j');
    await comes(row(page, 'The scanner beeps').and(page.locator(':focus')));
    await page.keyboard.press('Enter');
    await comes(page.getByRole('heading', { level: 1, name: 'The scanner beeps' }));
    await comes(page.getByRole('button', { name: 'Take over' }));
    await page.keyboard.press('a');
    await goes(page.getByRole('button', { name: 'Take over' }));
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Requests' }).click();
    await page.waitForURL(/\/requests\?view=unassigned$/);
    await goes(row(page, 'The scanner beeps'));
    await view(page, /^Assigned to me \d/).click();
    await page.waitForURL(/\/requests\?view=assigned_to_me&status=open$/);
    await comes(row(page, 'The scanner beeps'));
    expect(await scene.administrator.get(`/v1/requests/${number}`)).toMatchObject({
      status: 'accepted',
      member: { name: 'Howard Tanner' },
    });
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test('words, filters and the order are in the address, and what it does not know is named', async () => {
    await ask('The coffee is cold');
    await ask('The coffee is out');
    const { page } = await scene.enter('specialist', '/requests?view=open&zeppelin=1&status=lost');
    await comes(page.getByRole('button', { name: /^zeppelin=1 has no effect/ }));
    await page.getByRole('button', { name: /^status=lost has no effect/ }).click();
    await page.getByRole('button', { name: /^zeppelin=1 has no effect/ }).click();
    await page.waitForURL(/\/requests\?view=open$/);
    await page.keyboard.press('/');
    await page.keyboard.type('coff');
    await page.waitForURL(/\/requests\?view=open&q=coff$/);
    await comes(page.getByRole('heading', { level: 2, name: '2 requests' }));
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('menuitem', { name: 'Team' }).click();
    await page.getByRole('combobox', { name: 'Team' }).fill('Service');
    await page.getByRole('option', { name: /^Service Desk/ }).click();
    await page.waitForURL(/q=coff&team=1$/);
    await page.getByRole('button', { name: /Order/ }).click();
    await page.getByRole('option', { name: 'By subject' }).click();
    await page.waitForURL(/team=1&sort=subject$/);
    await comes(page.locator('tbody tr').first().getByRole('link', { name: 'The coffee is cold' }));
    await page.reload();
    await comes(page.locator('tbody tr').first().getByRole('link', { name: 'The coffee is cold' }));
    expect(await page.getByRole('searchbox', { name: 'Words in the subject' }).inputValue()).toBe('coff');
    await page.getByRole('searchbox', { name: 'Words in the subject' }).fill('zeppelin');
    await comes(page.getByText('Nothing matches.'));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(/\/requests\?view=open$/);
    await comes(page.getByRole('heading', { level: 2, name: /^\d\d+ requests$/ }));
  });

  testInChromium('what a list shows is saved as a file', async () => {
    await ask('The tulips are cold');
    await ask('The tulips are out');
    const { page } = await scene.enter('specialist', '/requests?view=open&q=tulips&sort=subject');
    await comes(page.getByRole('heading', { level: 2, name: '2 requests' }));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = (await text(await file.createReadStream())).split('\r\n');
    expect([file.suggestedFilename(), ...lines.map((line) => line.split(',')[1])]).toEqual([
      'requests.csv',
      'Subject',
      'The tulips are cold',
      'The tulips are out',
      undefined,
    ]);
  });

  test('the same words are looked for again in a view that was just chosen', async () => {
    const { page } = await scene.enter('specialist', '/requests');
    const words = page.getByRole('searchbox', { name: 'Words in the subject' });
    await words.fill('screen');
    await page.waitForURL(/\/requests\?q=screen$/);
    await view(page, /^Unassigned \d/).click();
    await page.waitForURL(/\/requests\?view=unassigned$/);
    await waitUntil('the words of the view before to be gone', async () => (await words.inputValue()) === '');
    await words.fill('screen');
    await page.waitForURL(/\/requests\?view=unassigned&q=screen$/);
  });

  test('what others create is announced, and does not move the rows', async () => {
    const { page } = await scene.enter('specialist');
    await page.clock.install();
    await page.goto(`${scene.platform.origin}/accounts/wdc/requests`);
    const rows = page.getByRole('table', { name: 'Requests' }).locator('.main-cell');
    await comes(rows.nth(2));
    const before = await rows.allInnerTexts();
    await ask('Announced');
    await page.clock.runFor(61_000);
    await comes(page.getByRole('button', { name: 'Show 1 new or changed' }));
    expect(await rows.allInnerTexts()).toEqual(before);
    await page.getByRole('button', { name: 'Show 1 new or changed' }).click();
    await comes(row(page, 'Announced'));
    await goes(page.getByRole('button', { name: 'Show 1 new or changed' }));
  });

  test('thirty unassigned requests are given to somebody at once, with a result for each, and taken back', async () => {
    const items = Array.from({ length: 30 }, (_, index) => ({
      subject: `Lamp ${index + 1}`,
      teamId: '1',
      source: 'lamps',
      sourceID: String(index),
    }));
    await scene.administrator.graphql(
      'mutation ($items: [RequestCreateInput!]!) { requestBulkCreate(input: { items: $items }) { errors { message } } }',
      { items },
    );
    const lamps = async () => {
      const found: unknown = await scene.administrator.get('/v1/requests?source=lamps&per_page=100&fields=member');
      return found as readonly { readonly id: number; readonly member: object | null }[];
    };
    const free = async () => (await lamps()).filter(({ member }) => member === null).length;
    await waitUntil('all requests', async () => (await lamps()).length === 30);
    const visit = await scene.enter('specialist', '/requests?view=unassigned&q=lamp');
    const { page } = visit;
    await comes(page.getByRole('heading', { name: '30 requests' }));
    // Archived meanwhile, it cannot be changed any more.
    const [first] = await lamps();
    const archive = 'mutation ($id: ID!) { requestArchive(input: { id: $id }) { errors { message } } }';
    await scene.administrator.graphql(archive, { id: String(first?.id) });
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const bar = page.getByRole('group', { name: 'Selected requests' });
    await comes(bar.getByText('1 of 30 selected'));
    await bar.getByRole('button', { name: 'Select all' }).click();
    await comes(bar.getByText('30 of 30 selected'));
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Member of 30 requests' });
    await dialog.getByRole('combobox', { name: 'Member' }).fill('Howard');
    await page.getByRole('option', { name: /Howard Tanner/ }).click();
    await comes(dialog.getByText('30 of 30 will change.'));
    await page.keyboard.press('Control+Enter');
    await comes(page.getByText('Member of 29 requests changed.'));
    await comes(page.getByText('1 request was not changed'));
    await comes(page.getByText('The record is archived; restore it first'));
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.focus();
    expect([await free(), (await lamps()).length]).toEqual([0, 29]);
    await page.keyboard.press('Enter');
    await comes(page.getByText('29 requests as before.'));
    expect(await free()).toBe(29);
    expect(visit.complaints.filter((text) => !/status of 422/.test(text))).toEqual([]);
    await visit.close();
  });

  test('several get a status that asks for more; those that have it already are left as they are', async () => {
    const numbers = [await ask('The kettle leaks'), await ask('The kettle hums'), await ask('The kettle is lost')];
    await scene.administrator.patch(`/v1/requests/${numbers[0]}`, {
      status: 'completed',
      completion_reason: 'duplicate',
    });
    const { page } = await scene.enter('specialist', '/requests?view=current_account&q=kettle');
    await comes(page.getByRole('heading', { name: '3 requests' }));
    await page
      .getByRole('checkbox', { name: /^Select/ })
      .first()
      .check();
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByRole('group', { name: 'Selected requests' }).getByRole('button', { name: 'Status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Status of 3 requests' });
    await dialog.getByRole('button', { name: /Status$/ }).click();
    await page.getByRole('option', { name: 'Completed', exact: true }).click();
    await comes(dialog.getByText('2 of 3 will change. 1 has it already.'));
    await dialog.getByRole('button', { name: /Completion reason$/ }).click();
    await page.getByRole('option', { name: 'Unsolvable', exact: true }).click();
    await dialog.getByRole('button', { name: 'Change 2' }).click();
    await comes(page.getByText('Status of 2 requests changed.'));
    const reasons = await Promise.all(numbers.map((number) => scene.administrator.get(`/v1/requests/${number}`)));
    expect(reasons.map((one) => one['completion_reason'])).toEqual(['duplicate', 'unsolvable', 'unsolvable']);
  });

  test('an end user sees their own requests alone, and no lists of what they do not see', async () => {
    await ask('Canary of somebody else');
    const visit = await scene.enter('end_user');
    const { page } = visit;
    const answers: Promise<string>[] = [];
    page.on('response', (response) => answers.push(response.text().catch(() => '')));
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await navigation.getByRole('link', { name: 'My requests' }).click();
    await comes(page.getByRole('heading', { level: 1, name: 'My requests' }));
    await comes(page.getByRole('heading', { level: 2, name: /^\d+ requests$/ }));
    await view(page, /^All \d/).click();
    await page.waitForURL(/view=current_account$/);
    await goes(page.locator('.is-old'));
    expect(await view(page, /Unassigned|Assigned/).count()).toBe(0);
    // Nothing of what only those who work with the account's records, or build on it, have a use for.
    expect(await navigation.getByText(/Problems|Teams|Build|Explorer|points/).count()).toBe(0);
    await page.waitForLoadState('networkidle');
    expect((await Promise.all(answers)).filter((text) => text.includes('Canary'))).toEqual([]);
    await page.goto(`${scene.platform.origin}/accounts/wdc/problems`);
    await comes(page.getByText('You do not have access.'));
    expect(visit.complaints).toEqual([]);
  });

  test.each(['problems', 'tasks', 'workflows', 'projects', 'project_tasks', 'slas', 'teams'])(
    'each view of the list of %s can be asked for, and its records open, where there are some',
    async (plural) => {
      const visit = await scene.enter('administrator', `/${plural}`);
      const { page } = visit;
      const views = page.getByRole('navigation', { name: /^Views of/ });
      await comes(views.getByRole('link', { name: /^All \d/ }));
      for (const link of await views.getByRole('link').all()) {
        await link.click();
        await comes(link.and(page.locator('[aria-current=page]')));
        await goes(page.getByRole('status', { name: 'Loading' }).first());
        await goes(page.locator('.is-old'));
        expect(await page.getByText('This could not be loaded.').count()).toBe(0);
      }
      await goes(page.locator('.is-old'));
      const links = page.locator('tbody .main-cell a');
      if ((await links.count()) === 0) {
        await comes(page.getByText(/^No .* in “.*”\.$/));
        return visit.close();
      }
      const title = await links.first().innerText();
      await page.keyboard.press('j');
      await page.keyboard.press('o');
      await comes(page.getByRole('heading', { level: 1, name: title }));
      await page.keyboard.press('u');
      await page.waitForURL((url) => url.pathname.endsWith(`/${plural}`));
      expect(visit.complaints).toEqual([]);
      return visit.close();
    },
  );
});
