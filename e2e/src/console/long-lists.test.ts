import type { Page } from 'playwright-core';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { withChromium } from '../oauth/testing/chromium';
import { auditPage } from '../oauth/testing/page-audit';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

/** Imports requests "<noun> 001", "<noun> 002" and so on, which the service desk has and nobody has taken up. */
async function makeMany({ platform, administrator }: Scene, noun: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => `${noun} ${String(at + 1).padStart(3, '0')},1`);
  const form = new FormData();
  form.set('type', 'requests');
  form.set('file', new Blob([['Subject,Team', ...rows].join('\n')]), 'requests.csv');
  const { personal_access_token: token } = platform.demo.accounts.wdc.administrator;
  const headers = { Authorization: `Bearer ${token}`, 'X-Service-Account': 'wdc' };
  const answer = await fetch(`${platform.origin}/v1/import`, { method: 'POST', headers, body: form });
  const path = `/v1/import/${((await answer.json()) as { readonly token: string }).token}`;
  await waitUntil('all requests', async () => (await administrator.get(path))['state'] === 'done');
  expect(await administrator.get(path)).toMatchObject({ results: { created: count, failures: 0 } });
}

withChromium('long lists', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
    await makeMany(scene, 'Light', 650);
  });
  afterAll(() => scene.close());

  /** Watches how many rows the document has, and whether the focus is lost, from now on. */
  const watched = async (page: Page) => {
    const found = await page.evaluateHandle(() => {
      const seen = { most: 0, lost: 0 };
      const look = (): void => {
        seen.most = Math.max(seen.most, document.querySelectorAll('tbody tr').length);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
      look();
      document.addEventListener('keyup', () => (seen.lost += document.activeElement === document.body ? 1 : 0));
      return seen;
    });
    return () => found.jsonValue();
  };
  const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');

  test('650 requests are walked by keys with at most 62 rows in the document, and the focus is never lost', async () => {
    const visit = await scene.enter('specialist', '/requests?q=light&sort=subject');
    const { page } = visit;
    await comes(page.getByRole('heading', { name: '650 requests' }));
    const table = page.getByRole('table', { name: 'Requests' });
    expect(await table.getAttribute('aria-rowcount')).toBe('651');
    const seen = await watched(page);
    for (let row = 1; row <= 650; row += 1) {
      // What follows is fetched before one comes to it; a slow machine may need longer.
      if (row % 100 === 1 && row > 1)
        await waitUntil('the next page', () => page.evaluate(() => !document.body.innerText.includes('loading more')));
      await page.keyboard.press('j');
    }
    expect(await focused(page)).toBe('Light 650');
    expect(await page.locator('tr:focus-within').getAttribute('aria-rowindex')).toBe('651');
    for (let row = 0; row < 5; row += 1) await page.keyboard.press('k');
    await page.keyboard.press('x');
    const bar = page.getByRole('group', { name: 'Selected requests' });
    await comes(bar.getByText('1 of 650 selected'));
    expect(await focused(page)).toBe('Light 645');

    // The focused row stays in the document, wherever the window stands.
    await page.evaluate(() => window.scrollTo(0, 0));
    await comes(table.getByRole('link', { name: 'Light 001' }));
    expect(await focused(page)).toBe('Light 645');
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('Light 644');
    expect(await seen()).toEqual({ most: expect.any(Number) as number, lost: 0 });
    expect((await seen()).most).toBeLessThanOrEqual(62);
    await page.keyboard.press('Enter');
    await comes(page.getByRole('heading', { level: 1, name: 'Light 644' }));
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test('a row that leaves the list gives the focus to the one in its place', async () => {
    const { page } = await scene.enter('specialist', '/requests?view=unassigned&q=light&sort=subject');
    await comes(page.getByRole('heading', { name: '650 requests' }));
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('Light 002');
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByRole('combobox', { name: 'Member' }).fill('Howard');
    await page.getByRole('option', { name: /Howard Tanner/ }).click();
    await goes(page.getByRole('link', { name: 'Light 002' }));
    await waitUntil('the next row to have the focus', async () => (await focused(page)) === 'Light 003');
  });

  test('ten requests that nobody has are given to somebody by 32 keys', async () => {
    const visit = await scene.enter('specialist', '/requests?view=unassigned&q=light&sort=-subject');
    const { page } = visit;
    await comes(page.getByRole('link', { name: 'Light 650' }));
    let keys = 0;
    const press = async (key: string): Promise<void> => {
      keys += 1;
      await page.keyboard.press(key);
    };
    await press('j');
    for (let number = 650; number > 640; number -= 1) {
      await waitUntil('the next request', async () => (await focused(page)) === `Light ${number}`);
      await goes(page.getByText(/^Changing/));
      await press('m');
      await comes(page.getByRole('dialog').getByRole('combobox', { name: 'Member' }).and(page.locator(':focus')));
      await press('h');
      await press('Enter');
      await goes(page.getByRole('link', { name: `Light ${number}` }));
    }
    await press('?');
    await comes(page.getByText('in a list: status, member, team and priority of the selected records, or of this one'));
    expect(keys).toBe(32);
    const given: unknown = await scene.administrator.get(
      '/v1/requests?member=2&sort=-updated_at&per_page=10&fields=subject',
    );
    expect((given as readonly { readonly subject: string }[]).map(({ subject }) => subject).sort()).toEqual(
      Array.from({ length: 10 }, (_, at) => `Light ${641 + at}`),
    );
    expect(visit.complaints).toEqual([]);
  });

  test('all that match are changed by a job: counted before, watched, with the refused ones named', async () => {
    await makeMany(scene, 'Plug', 120);
    const visit = await scene.enter('specialist', '/requests?view=open&q=plug&sort=subject');
    const { page } = visit;
    await comes(page.getByRole('heading', { name: '120 requests' }));
    // It is offered to somebody who selects.
    expect(await page.getByRole('button', { name: /that match$/ }).count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const selected = page.getByRole('group', { name: 'Selected requests' });
    await comes(selected);
    const all = page.getByRole('group', { name: 'All requests that match' });
    expect(await all.count()).toBe(0);
    await page.getByRole('button', { name: 'All 120 requests that match' }).click();
    await comes(all.getByText('All 120 requests that match'));
    // One bar at a time, and no key of the other.
    await goes(selected);
    await page.keyboard.press('m');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await all.getByRole('button', { name: 'Clear' }).click();
    await comes(selected);
    await goes(all);
    await page.getByRole('button', { name: 'All 120 requests that match' }).click();
    await comes(all.getByText('All 120 requests that match'));
    // Its keys walk through the list, after which all of it is loaded and nothing more is offered.
    expect(await auditPage(page, 'Requests', 'console-all-that-match')).toEqual([]);
    const plug: unknown = await scene.administrator.get('/v1/requests?sort=-subject&per_page=100&fields=subject');
    const last = (plug as readonly { readonly id: number; readonly subject: string }[]).find(
      ({ subject }) => subject === 'Plug 120',
    );
    // Archived meanwhile, it cannot be changed any more.
    const archive = 'mutation ($id: ID!) { requestArchive(input: { id: $id }) { errors { message } } }';
    await scene.administrator.graphql(archive, { id: String(last?.id) });
    await all.getByRole('button', { name: 'Member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Member of all 120 requests that match' });
    await dialog.getByRole('combobox', { name: 'Member' }).fill('Howard');
    await page.getByRole('option', { name: /Howard Tanner/ }).click();
    await comes(dialog.getByText('120 of 120 will change.'));
    await dialog.getByRole('button', { name: 'Change 120' }).click();
    await comes(all.getByText(/^Changing \d+ of 120 …$/));
    await comes(page.getByText('119 of 120 requests changed; 1 refused.'));
    await comes(page.getByText(/^Request \d+: The record is archived; restore it first/));
    const theirs: unknown = await scene.administrator.get(
      '/v1/requests?member=2&sort=-subject&per_page=100&fields=subject',
    );
    expect((theirs as readonly { readonly subject: string }[])[0]?.subject).toBe('Plug 119');
    await page.getByRole('button', { name: 'Close' }).click();
    await goes(page.getByText('119 of 120 requests changed; 1 refused.'));
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test('a job for all that match is canceled, and says what it has left', async () => {
    const visit = await scene.enter('specialist', '/requests?view=open&q=light&sort=subject');
    const { page } = visit;
    await comes(page.getByRole('heading', { name: '650 requests' }));
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'All 650 requests that match' }).click();
    const all = page.getByRole('group', { name: 'All requests that match' });
    await all.getByRole('button', { name: 'Note' }).click();
    const dialog = page.getByRole('dialog', { name: 'Note on all 650 requests that match' });
    await dialog.getByRole('textbox', { name: 'Note' }).fill('They are replaced on Monday.');
    await dialog.getByRole('button', { name: 'Add for colleagues only' }).click();
    await all.getByRole('button', { name: 'Cancel' }).click();
    await comes(page.getByText(/^Canceled: \d+ of 650 requests changed; \d+ left as they were\.$/));
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
