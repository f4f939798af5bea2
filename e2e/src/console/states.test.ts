import type { Locator, Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { auditLooks, stateLooks } from '../oauth/testing/page-audit';
import { comes, goes } from '../oauth/testing/waits';
import { lengthenList } from './testing/calls';
import { explorerSights } from './testing/explorer-sights';
import { frameSights } from './testing/frame-sights';
import { startFurnishedScene } from './testing/furnished-scene';
import type { FurnishedScene } from './testing/furnished-scene';
import { announced, overlays } from './testing/overlays';
import { sights } from './testing/sights';
import { loading, says, watch } from './testing/watch';

withChromium('the console in its states', () => {
  let scene: FurnishedScene;
  beforeAll(async () => {
    scene = await startFurnishedScene();
  });
  afterAll(() => scene.close());
  const { addressOf, look, walk } = watch(() => scene);

  test.each([
    { name: 'webhooks', path: '/webhooks', operation: 'WebhookList', isByItself: true },
    { name: 'deliveries', path: '/deliveries', operation: 'DeliveryLog', isByItself: false },
    { name: 'signing', path: '/signing', operation: 'PolicyList', isByItself: false },
    { name: 'applications', path: '/applications', operation: 'ApplicationList', isByItself: false },
  ])('$name shows 500 rows, and changes only the rows that are used', async ({ name, path, operation, isByItself }) => {
    const found = await look('administrator', async (page) => {
      const rows = page.locator('tbody tr[data-row]');
      const more = page.getByRole('button', { name: 'Show 50 more' });
      await page.clock.install();
      await lengthenList(page, operation, 1_200);
      await page.goto(addressOf(path));
      await comes(rows.nth(49));
      // A list that reads on by itself reads nine more pages.
      if (isByItself) await rows.nth(499).waitFor();
      else
        for (let shown = 100; shown <= 500; shown += 50) {
          await more.click();
          await comes(rows.nth(shown - 1));
        }
      await says(page, '500 of 1,200');
      expect(await more.count()).toBe(0);
      expect(await page.locator('.table tbody').evaluate(elementsWithin)).toBeLessThan(500 * 40);
      // Ages in rows would grow while a slow machine presses keys: they are brought up to date, and stay.
      await page.clock.setFixedTime(await page.evaluate(() => Date.now()));
      await page.clock.fastForward(announced);
      const changes = await changesOf(page.locator('.table tbody'), async () => {
        const first = rows.first().getByRole('checkbox');
        if ((await first.count()) > 0) await first.check();
        await page.getByRole('heading', { level: 1 }).click();
        for (let pressed = 0; pressed < 5; pressed += 1) await page.keyboard.press('j');
      });
      // Of the rows that were pressed or left alone, not of all 500. How long it takes is in the benchmark of the console.
      expect(changes).toBeLessThan(20);
      await page.clock.fastForward(announced);
      return auditLooks(page, stateLooks(), { picture: `console-${name}-many`, repeated: afterTheFirstRows });
    });
    expect(found).toEqual([]);
  });

  test.each([
    { total: 240, shown: ['96 webhooks failing or disabled', '48 webhooks unverified', '240 webhooks in all'] },
    {
      total: 1_200,
      shown: ['200+ webhooks failing or disabled', '100+ webhooks unverified', '1,200 webhooks in all'],
    },
  ])('home counts all of $total webhooks, or says that there are more', async ({ total, shown }) => {
    const found = await look('administrator', async (page) => {
      // Of the five, one fails, one is disabled and one unverified.
      await lengthenList(page, 'HomeAdmin', total);
      await lengthenList(page, 'HomeWebhooks', total);
      await page.goto(addressOf(''));
      for (const name of shown) await comes(page.getByRole('link', { name, exact: true }));
      return auditLooks(page, stateLooks(), { picture: `console-home-${total}` });
    });
    expect(found).toEqual([]);
  });

  test('moments are written in the language and the time zone of the person', async () => {
    const write = async (locale: string, timeZone: string): Promise<void> => {
      const { people } = await scene.administrator.graphql<People>('{ people(first: 100) { nodes { id name } } }', {});
      const id = people.nodes.find(({ name }) => name === 'Howard Tanner')?.id;
      await scene.administrator.graphql(personUpdate, { input: { id, locale, timeZone } });
    };
    await write('nl-NL', 'Pacific/Auckland');
    const found = await look('specialist', async (page) => {
      await page.goto(addressOf(`/requests/${scene.furniture.request}`));
      const time = page.locator('dd time').first();
      const at = new Date((await time.getAttribute('datetime')) ?? '');
      const expected = new Intl.DateTimeFormat('nl-NL', {
        dateStyle: 'medium',
        timeStyle: 'long',
        timeZone: 'Pacific/Auckland',
      });
      expect(await time.getAttribute('title')).toBe(expected.format(at));
      return [];
    });
    await write('en', 'UTC');
    expect(found).toEqual([]);
  });

  test.each([...sights, ...frameSights, ...explorerSights, ...overlays].map((sight, index) => ({ ...sight, index })))(
    '$name',
    async ({ index, ...sight }) => {
      const {
        name,
        who = 'administrator',
        account,
        path,
        prepare,
        act,
        shows,
        looks = stateLooks(),
        exceptions = [],
      } = sight;
      const url = addressOf(path(scene.furniture), account);
      const see = async (page: Page): Promise<string[]> => {
        await comes(page.getByRole('heading', { level: 1 }));
        if (!sight.isLoading) await goes(loading(page).first());
        await act?.(page);
        await comes(page.getByText(shows).filter({ visible: true }).first());
        return auditLooks(page, looks, { picture: `console-${name}`, exceptions });
      };
      // A state is reached as people reach it. Each tenth is loaded as well, and the others too without STATES=short, so
      // that no state depends on the one before.
      const isWalk = !prepare && !sight.isLoaded;
      if (isWalk) expect(await walk(who, url, see)).toEqual([]);
      if (isWalk && process.env['STATES'] === 'short' && index % 10 !== 0) return;
      const found = await look(who, async (page) => {
        await prepare?.(page);
        await page.goto(url);
        return see(page);
      });
      expect(found).toEqual([]);
    },
  );
});

const personUpdate = 'mutation ($input: PersonUpdateInput!) { personUpdate(input: $input) { errors { message } } }';
interface People {
  readonly people: { readonly nodes: readonly { readonly id: string; readonly name: string }[] };
}

const afterTheFirstRows = 'tbody tr[data-row]:nth-of-type(n + 31)';
const elementsWithin = (element: Element): number => element.querySelectorAll('*').length;

/** The changes of elements, attributes and texts within a part of a page while something is done. */
async function changesOf(part: Locator, act: () => Promise<void>): Promise<number> {
  const counter = await part.evaluateHandle((element) => {
    let changes = 0;
    const observer = new MutationObserver((records) => (changes += records.length));
    observer.observe(element, { subtree: true, childList: true, attributes: true, characterData: true });
    return { read: () => changes + observer.takeRecords().length };
  });
  await act();
  return counter.evaluate(({ read }) => read());
}
