import { setTimeout as pause } from 'node:timers/promises';
import { enter, startBrowser, startDemoPlatform } from '../../scripts/demo-platform.mjs';
import { median, percentile } from '../measure.mjs';
import { until } from '../platform.mjs';

const show = (text) => process.stdout.write(`${text}\n`);
const [most, mostMilliseconds] = [62, 50];

/**
 * CPU of the page for a key in a long list of requests, by its DevTools (`TaskDuration` of its thread, which does not grow with the work
 * of other processes), and the most rows that the document had; 62 are 60 and two spaces. `--rows=2000,100000`.
 */
export async function showLongLists(options) {
  const given = options.find((one) => one.startsWith('--rows='))?.slice('--rows='.length) ?? '2000,100000';
  const platform = await startDemoPlatform();
  const browser = await startBrowser();
  show('\n| Rows of the list | Keys | Presses | CPU for a key, p50 | p95 | Rows in the document, most | Goal |');
  show('|---:|---|---:|---:|---:|---:|---|');
  for (const rows of given.split(',').map(Number)) {
    await makeRequests(platform, rows);
    await walk(browser, platform, rows);
  }
  await browser.close();
  await platform.stop();
}

async function makeRequests({ origin, administrator }, rows) {
  const lines = Array.from({ length: rows }, (_none, n) => `Row ${rows} number ${n + 1}`);
  const form = new globalThis.FormData();
  form.set('type', 'requests');
  form.set('file', new globalThis.Blob([['Subject', ...lines].join('\n')]), 'requests.csv');
  const headers = { Authorization: `Bearer ${administrator.personal_access_token}`, 'X-Service-Account': 'wdc' };
  const begun = await fetch(`${origin}/v1/import`, { method: 'POST', headers, body: form });
  const { token } = await begun.json();
  await until('the requests are there', async () => {
    await pause(2_000);
    const answer = await fetch(`${origin}/v1/import/${token}`, { headers });
    const { state, results } = await answer.json();
    if (state === 'error' || results?.failures > 0) throw new Error(JSON.stringify(results));
    return state === 'done';
  });
}

async function walk(browser, platform, rows) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(600_000);
  await (await enter(context, platform)).close();
  const page = await context.newPage();
  await page.goto(
    `${platform.origin}/accounts/wdc/requests?view=current_account&q=${encodeURIComponent(`row ${rows}`)}`,
  );
  await page.locator('[data-row]').first().waitFor();
  await page.evaluate(() => {
    globalThis.mostRows = 0;
    const look = () => {
      globalThis.mostRows = Math.max(globalThis.mostRows, globalThis.document.querySelectorAll('tbody tr').length);
    };
    new globalThis.MutationObserver(look).observe(globalThis.document.body, { subtree: true, childList: true });
    look();
  });
  const devtools = await context.newCDPSession(page);
  // CPU of the thread; the default is time that passes.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
  };
  for (const [key, presses] of [
    ['j', 600],
    ['k', 200],
    ['PageDown', 40],
    ['PageUp', 40],
    ['End', 5],
    ['Home', 5],
  ]) {
    const used = [];
    for (let press = 0; press < presses; press += 1) {
      // What follows is fetched before one comes to it, within the limit of calls.
      await until('the next page', () =>
        page.evaluate(() => !globalThis.document.body.innerText.includes('loading more')),
      );
      const before = await busy();
      await page.keyboard.press(key);
      // Two frames: the window is drawn again after the scroll.
      await page.evaluate(
        () => new Promise((done) => globalThis.requestAnimationFrame(() => globalThis.requestAnimationFrame(done))),
      );
      used.push((await busy()) - before);
    }
    const seen = await page.evaluate(() => globalThis.mostRows);
    const sorted = [...used].sort((one, other) => one - other);
    const isMet = median(used) <= mostMilliseconds && seen <= most;
    const cells = [
      `\`${key}\``,
      presses,
      ...[0.5, 0.95].map((share) => `${percentile(sorted, share).toFixed(1)} ms`),
      seen,
    ];
    show(`| ${rows.toLocaleString('en')} | ${cells.join(' | ')} | ${isMet ? 'met' : 'missed'} |`);
  }
  await context.close();
}
