import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import type { Visit } from '../oauth/testing/chromium';
import { allLooks, auditLooks } from '../oauth/testing/page-audit';
import { controlCalls, refusalOfTooMany } from './testing/calls';
import type { Answer } from './testing/calls';
import { fetchingScreens } from './testing/fetching-screens';
import { startFurnishedScene } from './testing/furnished-scene';
import type { FurnishedScene } from './testing/furnished-scene';
import type { Who } from './testing/scene';
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
        await page.goto(`${scene.platform.origin}/accounts/wdc${path(scene.furniture)}`);
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

  test.each(sights)('$name', async ({ name, who = 'administrator', account = 'wdc', path, act, shows, looks }) => {
    const found = await look(who, async (page) => {
      await page.goto(`${scene.platform.origin}/accounts/${account}${path(scene.furniture)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await loading(page).first().waitFor({ state: 'detached' });
      await act?.(page);
      await page.getByText(shows).first().waitFor();
      return auditLooks(page, looks ?? allLooks, `console-${name}`);
    });
    expect(found).toEqual([]);
  });
});

const loading = (page: Page) => page.getByRole('status', { name: 'Loading' });
const says = (page: Page, text: string): Promise<void> => page.getByText(text).first().waitFor();

/** Of every part that failed. A part that is asked again shows that it loads. */
async function tryAgain(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Try again' });
  for (let left = await buttons.count(); left > 0; left -= 1) await buttons.first().click();
}
