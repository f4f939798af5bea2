import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import type { Visit } from '../oauth/testing/chromium';
import { allLooks, auditLooks } from '../oauth/testing/page-audit';
import { controlCalls, lengthenList, refusalOfTooMany } from './testing/calls';
import type { Answer } from './testing/calls';
import { fetchingScreens } from './testing/fetching-screens';
import { startFurnishedScene } from './testing/furnished-scene';
import type { FurnishedScene } from './testing/furnished-scene';
import type { Who } from './testing/scene';
import { explorerSights } from './testing/explorer-sights';
import { frameSights } from './testing/frame-sights';
import { announced, overlays } from './testing/overlays';
import { sights } from './testing/sights';

/** Chromium itself writes a line for each answer that is a refusal, and for each call that has none. */
const isAboutAnAnswer = (text: string): boolean => text.startsWith('Failed to load resource');

withChromium('the console in its states', () => {
  let scene: FurnishedScene;
  let refusal: Answer;
  beforeAll(async () => {
    scene = await startFurnishedScene();
    refusal = await refusalOfTooMany((await visitOf('administrator')).page);
  });
  afterAll(() => scene.close());

  const addressOf = (path: string, account = 'wdc'): string => `${scene.platform.origin}/accounts/${account}${path}`;
  /** One sign-in for each role. */
  const visits = new Map<Who, Promise<Visit>>();
  const visitOf = (who: Who): Promise<Visit> => {
    const visit = visits.get(who) ?? scene.enter(who);
    visits.set(who, visit);
    return visit;
  };
  /** Looks at a page of its own; gives what is wrong with it, and what the browser complained about. */
  async function look(who: Who, at: (page: Page) => Promise<string[]>): Promise<string[]> {
    const visit = await visitOf(who);
    const known = visit.complaints.length;
    const page = await visit.context.newPage();
    const found = await at(page);
    await page.close();
    return [...found, ...visit.complaints.slice(known).filter((text) => !isAboutAnAnswer(text))];
  }

  test.each(fetchingScreens)(
    '$name says that it loads, that it failed, was not reached or has to wait; goes on by itself, and keeps what it had',
    async ({ name, who, path, heading, shows }) => {
      const found = await look(who, async (page) => {
        const problems: string[] = [];
        const audit = async (state: string): Promise<void> => {
          problems.push(...(await auditLooks(page, allLooks, `console-${name}-${state}`)));
        };
        await page.clock.install();
        const calls = await controlCalls(page, 'held');
        await page.goto(addressOf(path(scene.furniture)));
        await page.getByRole('heading', { level: 1, name: heading }).and(page.locator(':focus')).waitFor();
        await loading(page).first().waitFor();
        await audit('loading');
        await calls.answer('failed');
        await says(page, 'The platform failed at this. Request 7f1c2a52-');
        await audit('failed');
        await calls.answer('cut');
        await tryAgain(page);
        await says(page, 'The platform was not reached.');
        await audit('not-reached');
        await calls.answer(refusal);
        await tryAgain(page);
        await says(page, 'Asked again by itself in 1 second.');
        await audit('limited');
        await calls.answer('real');
        await page.clock.fastForward(2_000);
        await page.getByText(shows).first().waitFor();
        await loading(page).first().waitFor({ state: 'detached' });
        await audit('shown');
        await calls.answer('failed');
        // As when one comes back to the tab.
        await page.clock.fastForward(6_000);
        await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
        await says(page, 'This is what it was before');
        await page.getByText(shows).first().waitFor();
        await audit('old');
        return problems;
      });
      expect(found).toEqual([]);
    },
  );

  test('the explorer can be used without the schema, and has it as soon as it comes', async () => {
    const found = await look('administrator', async (page) => {
      const problems: string[] = [];
      const audit = async (state: string): Promise<void> => {
        problems.push(...(await auditLooks(page, allLooks, `console-explorer-${state}`)));
      };
      const run = page.getByRole('button', { name: /^Run/ });
      await page.clock.install();
      const calls = await controlCalls(page, 'held');
      await page.goto(addressOf('/explorer'));
      await run.waitFor();
      await audit('loading');
      await calls.answer('failed');
      await says(page, 'The schema was not reached');
      await run.click();
      await says(page, 'The platform failed at this.');
      await audit('failed');
      await calls.answer('cut');
      await run.click();
      await says(page, 'The platform was not reached.');
      await audit('not-reached');
      await calls.answer(refusal);
      await run.click();
      await tryAgain(page);
      await says(page, 'The schema comes later');
      await audit('limited');
      await calls.answer('real');
      await page.clock.fastForward(2_000);
      await page.getByText('A token needs').waitFor();
      expect(await page.getByText('The schema comes later').count()).toBe(0);
      return problems;
    });
    expect(found).toEqual([]);
  });

  test('what is typed in the settings of a policy outlives a reload, until it is cancelled', async () => {
    const found = await look('administrator', async (page) => {
      const name = page.getByLabel('Name', { exact: true });
      const edit = page.getByRole('button', { name: 'Edit', exact: true });
      await page.goto(addressOf(`/signing/${scene.furniture.policies.spare}`));
      await edit.click();
      await name.fill('Typed by hand');
      await page.reload();
      await edit.click();
      expect(await name.inputValue()).toBe('Typed by hand');
      await page.keyboard.press('Escape');
      await edit.click();
      expect(await name.inputValue()).toBe('Typed by hand');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await edit.click();
      expect(await name.inputValue()).toBe('spare');
      return [];
    });
    expect(found).toEqual([]);
  });

  test.each([
    { name: 'webhooks', path: '/webhooks', operation: 'WebhookList', isByItself: true },
    { name: 'deliveries', path: '/deliveries', operation: 'DeliveryLog', isByItself: false },
    { name: 'signing', path: '/signing', operation: 'PolicyList', isByItself: false },
    { name: 'applications', path: '/applications', operation: 'ApplicationList', isByItself: false },
  ])('$name shows 500 rows, and is as quick with them as with few', async ({ name, path, operation, isByItself }) => {
    const found = await look('administrator', async (page) => {
      const rows = page.locator('tbody tr[data-row]');
      const more = page.getByRole('button', { name: 'Show 50 more' });
      await page.clock.install();
      await lengthenList(page, operation, 1_200);
      await page.goto(addressOf(path));
      await rows.nth(49).waitFor();
      if (!isByItself)
        for (let shown = 100; shown <= 500; shown += 50) {
          await more.click();
          await rows.nth(shown - 1).waitFor();
        }
      await rows.nth(499).waitFor();
      await says(page, '500 of 1,200');
      expect(await more.count()).toBe(0);
      expect(await page.locator('.table tbody').evaluate(elementsWithin)).toBeLessThan(500 * 40);
      const work = await workOf(page, async () => {
        const first = rows.first().getByRole('checkbox');
        if ((await first.count()) > 0) await first.check();
        await page.getByRole('heading', { level: 1 }).click();
        for (let pressed = 0; pressed < 5; pressed += 1) await page.keyboard.press('j');
      });
      // Milliseconds of the processor, whatever else the machine has to do.
      expect(work).toBeLessThan(200);
      await page.clock.fastForward(announced);
      return auditLooks(page, allLooks, `console-${name}-many`);
    });
    expect(found).toEqual([]);
  });

  test.each([
    { total: 240, shown: ['96 webhooks failing or disabled', '48 webhooks to be verified', '240 webhooks in all'] },
    { total: 1_200, shown: ['200+ webhooks failing or disabled', '100+ webhooks to be verified', '1,200 webhooks in all'] },
  ])('home counts all of $total webhooks, or says that there are more', async ({ total, shown }) => {
    const found = await look('administrator', async (page) => {
      // Of the five, one fails, one is disabled and one unverified.
      await lengthenList(page, 'HomeAdmin', total);
      await lengthenList(page, 'HomeWebhooks', total);
      await page.goto(addressOf(''));
      for (const name of shown) await page.getByRole('link', { name, exact: true }).waitFor();
      return auditLooks(page, allLooks, `console-home-${total}`);
    });
    expect(found).toEqual([]);
  });

  test('moments are written in the language and the time zone of the person', async () => {
    const { administrator } = scene;
    const { people } = await administrator.graphql<People>('{ people(first: 100) { nodes { number name } } }', {});
    const howard = people.nodes.find(({ name }) => name === 'Howard Tanner');
    await administrator.patch(`/v1/people/${howard?.number}`, { locale: 'nl-NL', time_zone: 'Pacific/Auckland' });
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
    await administrator.patch(`/v1/people/${howard?.number}`, { locale: 'en', time_zone: 'UTC' });
    expect(found).toEqual([]);
  });

  test.each([...sights, ...frameSights, ...explorerSights, ...overlays])('$name', async (sight) => {
    const { name, who = 'administrator', account, path, prepare, act, shows, looks = allLooks, exceptions } = sight;
    const found = await look(who, async (page) => {
      await prepare?.(page);
      await page.goto(addressOf(path(scene.furniture), account));
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (!sight.isLoading) await loading(page).first().waitFor({ state: 'detached' });
      await act?.(page);
      await page.getByText(shows).filter({ visible: true }).first().waitFor();
      return auditLooks(page, looks, `console-${name}`, exceptions);
    });
    expect(found).toEqual([]);
  });
});

interface People {
  readonly people: { readonly nodes: readonly { readonly number: number; readonly name: string }[] };
}

const loading = (page: Page) => page.getByRole('status', { name: 'Loading' });
const says = (page: Page, text: string): Promise<void> => page.getByText(text).first().waitFor();

/** Of every part that failed. A part that is asked again shows that it loads. */
async function tryAgain(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Try again' });
  for (let left = await buttons.count(); left > 0; left -= 1) await buttons.first().click();
}

const elementsWithin = (element: Element): number => element.querySelectorAll('*').length;

/** Milliseconds that the scripts of a page were at work while something was done. */
async function workOf(page: Page, act: () => Promise<void>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await devtools.send('Performance.enable');
  const read = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN);
  };
  const before = await read();
  await act();
  return (await read()) - before;
}
