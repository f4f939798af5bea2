import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';

// Playwright's own waits look five times within 0.3 s, and then only every half second: what comes after 0.3 s is seen
// at 0.8 s. These look often during the first seconds. Playwright still decides, and still has its whole time for it.

const milliseconds = 3_000;
const step = 20;

/** Waits until the element is visible. */
export async function comes(element: Locator): Promise<void> {
  // Two elements for a moment, as while one replaces the other, are not there yet.
  await lookOften(() => element.isVisible().catch(() => false));
  await element.waitFor();
}

/** Waits until the element is on the page, visible or not. */
export async function isPut(element: Locator): Promise<void> {
  await lookOften(async () => (await element.count()) > 0);
  await element.waitFor({ state: 'attached' });
}

/** Waits until no such element is on the page; twice, since one may follow another. */
export async function goes(element: Locator): Promise<void> {
  let gone = 0;
  await lookOften(async () => {
    gone = (await element.count()) === 0 ? gone + 1 : 0;
    return gone === 2;
  });
  await element.waitFor({ state: 'detached' });
}

async function lookOften(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await isSo()) && performance.now() < end) await pause(step);
}
