import type { Page } from 'playwright-core';
import type { Visit } from '../../oauth/testing/chromium';
import { auditLooks, stateLooks } from '../../oauth/testing/page-audit';
import { comes } from '../../oauth/testing/waits';
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
    return visit;
  };
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
    async signOut(who) {
      await (await visitOf(who)).context.clearCookies();
    },
    async signInAgain(who, page) {
      await page.getByRole('dialog', { name: 'You are signed out' }).getByRole('link', { name: 'Sign in' }).click();
      await signIn(page, scene().platform.demo.accounts.wdc[who]);
    },
  };
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
