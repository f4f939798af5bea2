import type { Page } from 'playwright-core';
import type { Visit } from '../../oauth/testing/chromium';
import { auditLooks, stateLooks } from '../../oauth/testing/page-audit';
import { comes, goes } from '../../oauth/testing/waits';
import type { Scene, Who } from './scene';
import { signIn } from './scene';

/** Chromium reports each refusal, and each call without an answer, in its console. */
const isAboutAnAnswer = (text: string): boolean => text.startsWith('Failed to load resource');

/** Audits pages of a scene, with one sign-in per role. */
export interface Watch {
  /** The URL of a path that is relative to `/accounts/<account>`. */
  readonly addressOf: (path: string, account?: string) => string;
  /** Opens a separate page and audits it; returns the violations and the browser's console messages. */
  readonly look: (who: Who, at: (page: Page) => Promise<string[]>) => Promise<string[]>;
  /**
   * The same in a page that stays open, and reaches the URL from the last one without loading the console again: everything
   * is taken down in between, but answers of the API are still known.
   */
  readonly walk: (who: Who, url: string, at: (page: Page) => Promise<string[]>) => Promise<string[]>;
  /** Ends the sign-in of `who`. */
  readonly signOut: (who: Who) => Promise<void>;
  /** Uses the dialog that appears when the sign-in has ended. */
  readonly signInAgain: (who: Who, page: Page) => Promise<void>;
  readonly visitOf: (who: Who) => Promise<Visit>;
}

export function watch(scene: () => Scene): Watch {
  const visits = new Map<Who, Promise<Visit>>();
  const visitOf = (who: Who): Promise<Visit> => {
    const visit = visits.get(who) ?? scene().enter(who);
    visits.set(who, visit);
    // One that failed is no sign-in for the others.
    visit.catch(() => visits.delete(who));
    return visit;
  };
  const walks = new Map<Who, Page>();
  return {
    visitOf,
    addressOf: (path, account = 'wdc') => `${scene().platform.origin}/accounts/${account}${path}`,
    async look(who, at) {
      const visit = await visitOf(who);
      const known = visit.complaints.length;
      const page = await visit.context.newPage();
      const found = await at(page);
      await page.close();
      return [...found, ...visit.complaints.slice(known).filter((text) => !isAboutAnAnswer(text))];
    },
    async walk(who, url, at) {
      const { context, complaints } = await visitOf(who);
      const known = complaints.length;
      const page = walks.get(who) ?? (await context.newPage());
      const before = page.url();
      try {
        await (walks.has(who) ? goOn(page, url) : page.goto(url));
        walks.set(who, page);
        const found = [...(await at(page)), ...complaints.slice(known).filter((text) => !isAboutAnAnswer(text))];
        return found.map((text) => `${text}, after ${before}`);
      } catch (error) {
        // What is left open would be in the way of the next.
        walks.delete(who);
        await page.close();
        throw new Error(`${url} after ${before}`, { cause: error });
      }
    },
    async signOut(who) {
      await (await visitOf(who)).context.clearCookies();
    },
    async signInAgain(who, page) {
      await page.getByRole('dialog', { name: 'You are signed out' }).getByRole('link', { name: 'Sign in' }).click();
      await signIn(page, scene().platform.demo.accounts.wdc[who]);
    },
  };
}

/** Leaves a screen for an address without the console's frame, and that for the next screen. */
async function goOn(page: Page, url: string): Promise<void> {
  const goTo = (address: string): Promise<void> => page.evaluate((next) => history.pushState(null, '', next), address);
  const between = page.getByRole('heading', { level: 1, name: 'Page not found' });
  await page.emulateMedia({ colorScheme: null, forcedColors: null });
  await page.setViewportSize({ width: 1280, height: 720 });
  await goTo('/between-two-screens');
  await goes(page.getByRole('banner'));
  await comes(between);
  // The next address may have the same heading.
  await between.evaluate((heading) => heading.setAttribute('data-between', ''));
  await goTo(url);
  await goes(page.locator('[data-between]'));
}

export const loading = (page: Page) => page.getByRole('status', { name: 'Loading' });
export const says = (page: Page, text: string | RegExp): Promise<void> => comes(page.getByText(text).first());

/** Retries every failed section; a retried section shows its loading state. */
export async function tryAgain(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Try again' });
  for (let left = await buttons.count(); left > 0; left -= 1) await buttons.first().click();
}

/** Audits several states of one page, each in all looks. */
export function auditor(page: Page, name: string) {
  const problems: string[] = [];
  const audit = async (state: string): Promise<void> => {
    problems.push(...(await auditLooks(page, stateLooks(), { picture: `console-${name}-${state}` })));
  };
  return { problems, audit };
}
