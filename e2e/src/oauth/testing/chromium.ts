import { existsSync } from 'node:fs';
import { chromium, firefox } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** `BROWSER=firefox` takes the same journeys through Debian's Firefox, by WebDriver BiDi. */
export const isFirefox = process.env['BROWSER'] === 'firefox';
const executablePath = isFirefox ? '/usr/bin/firefox-esr' : '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** `describe`, or `describe.skip` on a machine without Debian's Chromium. */
export const withChromium = existsSync(executablePath) ? describe : describe.skip;

/** For what needs downloads, files in the clipboard or taps, which the protocol of Firefox does not have yet. */
export const testInChromium = isFirefox ? test.skip : test;

export interface Chromium {
  /** A new browser profile without a sign-in. */
  open(options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Messages of the browser's console, in particular violations of the Content-Security-Policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export async function startChromium(): Promise<Chromium> {
  const browser: Browser = await (isFirefox ? startFirefox() : chromium.launch({ executablePath, args }));
  return {
    async open(options = {}) {
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      context.setDefaultTimeout(600_000);
      const complaints: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      const page = await context.newPage();
      if (isFirefox) fillByKeys(page);
      return { context, page, complaints, close: () => context.close() };
    },
    close: () => browser.close(),
  };
}

/** For all pages: by its protocol a text is put into a field in a way that React does not notice. */
function fillByKeys(page: Page): void {
  const locators = Object.getPrototypeOf(page.locator('html')) as Locator;
  locators.fill = async function (this: Locator, text: string) {
    await this.press('Control+a');
    await (text === '' ? this.press('Backspace') : this.pressSequentially(text));
  };
}

/** What of Playwright a Firefox needs to be made to work. */
interface Inside {
  readonly _connection: { toImpl(browser: Browser): { readonly _browserSession: Session } };
}
interface Session {
  send: (this: Session, method: string, parameters: unknown) => Promise<unknown>;
}

/** Playwright sets media features of each profile, which this Firefox does not know yet; the journeys do without. */
async function startFirefox(): Promise<Browser> {
  const browser = await firefox.launch({ executablePath, channel: 'moz-firefox' });
  const session = Object.getPrototypeOf(
    (browser as unknown as Inside)._connection.toImpl(browser)._browserSession,
  ) as Session;
  const { send } = session;
  session.send = function (method, parameters) {
    return method === 'emulation.setMediaFeaturesOverride' ? Promise.resolve({}) : send.call(this, method, parameters);
  };
  return browser;
}

/** Opens browser profiles that are closed after the test. */
export function opensVisits(chromium: () => Chromium): Chromium['open'] {
  const visits: Visit[] = [];
  afterEach(async () => {
    for (const visit of visits.splice(0)) await visit.close();
  });
  return async (options) => {
    const visit = await chromium().open(options);
    visits.push(visit);
    return visit;
  };
}
