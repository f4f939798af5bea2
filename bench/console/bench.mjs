import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { enter, freePort, startBrowser, startDemoPlatform, startReceiver } from '../../scripts/demo-platform.mjs';
import { median, percentile } from '../measure.mjs';
import { hasRunFromSources, until } from '../platform.mjs';
import { cpuOf } from '../stores.mjs';
import { showLongLists } from './long-lists.mjs';

const load = createRequire(import.meta.url);
const rounds = 5;
/** Webhooks to show: the number that the list loads before it asks for a filter. */
const rows = 500;
/** "Slow 4G": 1.6 Mbit/s down, 750 kbit/s up, 150 ms round trip. */
const slow = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
/** The rate limit is 20 calls in 2 s. */
const betweenCalls = 120;

const show = (text) => process.stdout.write(`${text}\n`);

/**
 * The size of the bundles, the points of the screens, the cost of the console's server, and the waiting time in the
 * browser.
 */
const parts = {
  weights: showWeights,
  points: showPoints,
  server: showServer,
  browser: showBrowser,
  rows: showLongLists,
};

/** `--only=` selects a part. */
export async function run(options) {
  if (hasRunFromSources('console', options)) return;
  const only = options.find((option) => option.startsWith('--only='))?.slice('--only='.length);
  for (const [name, part] of Object.entries(parts)) if (only === undefined || name === only) await part(options);
}

async function showBrowser() {
  const platform = await startDemoPlatform();
  const receiver = await startReceiver(() => 200);
  const browser = await startBrowser();
  await makeWebhooks(platform, receiver);
  await showPaint(browser, platform);
  await showInput(browser, platform);
  await browser.close();
  receiver.close();
  await platform.stop();
}

function showWeights() {
  const folder = new URL('../../console/dist/browser/', import.meta.url);
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', folder), 'utf8'));
  const filesOf = (name, seen = new Set()) => {
    const { file, css = [], imports = [] } = manifest[name];
    if (seen.has(file)) return seen;
    for (const one of [file, ...css]) seen.add(one);
    for (const imported of imports) filesOf(imported, seen);
    return seen;
  };
  const kilobytesOf = (files) =>
    files.reduce((bytes, file) => bytes + statSync(new URL(`${file}.br`, folder)).size, 0) / 1_000;
  const first = filesOf('browser/main.tsx');
  show(`\n| Loaded | KB, brotli |\n|---|---:|\n| frame and home | ${kilobytesOf([...first]).toFixed(1)} |`);
  for (const route of manifest['browser/main.tsx'].dynamicImports) {
    const further = [...filesOf(route)].filter((file) => !first.has(file));
    show(`| \`${route.replace('browser/', '').replace('.tsx', '')}\` | ${kilobytesOf(further).toFixed(1)} |`);
  }
}

function showPoints() {
  const { operations, priceOf } = load('../../console/src/testing/documents.ts');
  const byPoints = new Map();
  for (const operation of operations.filter((one) => one.operation === 'query')) {
    const { price } = priceOf(operation);
    byPoints.set(price.cost, [...(byPoints.get(price.cost) ?? []), operation.name.value]);
  }
  show('\n| Points | Documents |\n|---:|---|');
  for (const [points, names] of [...byPoints].sort(([one], [other]) => one - other))
    show(`| ${points} | ${names.sort().join(', ')} |`);
}

/** The console's server in a separate process in front of the same platform, with a session that is sealed here. */
async function showServer() {
  const platform = await startDemoPlatform();
  const { createSealer } = load('@itsm/shared/base/secrets/sealer');
  const key = randomBytes(32);
  const port = await freePort();
  const server = spawn(process.execPath, [new URL('../../console/dist/main.js', import.meta.url).pathname], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      BASE_URL: platform.origin,
      GATEWAY_URL: platform.origin,
      CONSOLE_CLIENT_SECRET: randomBytes(32).toString('base64'),
      COOKIE_KEYS: key.toString('base64'),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.once('exit', () => server.kill());
  const origin = `http://127.0.0.1:${port}`;
  const shell = `${origin}/accounts/wdc/webhooks`;
  await until('the console answers', () =>
    fetch(shell).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const session = {
    token: platform.administrator.personal_access_token,
    person: 'x',
    account: 'wdc',
    exp: Date.now() + 3_600_000,
  };
  const call = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: `console=${createSealer([key]).seal(JSON.stringify(session), 'console session')}`,
      'x-console': 'wdc',
    },
    body: JSON.stringify({ query: '{ webhooks(first: 50) { totalCount nodes { id name state } } }' }),
  };
  const { script } = assetOf();
  const calls = {
    shell: () => fetch(shell),
    'asset, brotli': () => fetch(origin + script, { headers: { 'accept-encoding': 'br' } }),
    'GraphQL, passed on': () => fetch(`${origin}/console/graphql`, call),
  };
  show(`\n| Call of the console's server | CPU |\n|---|---:|`);
  for (const [name, make] of Object.entries(calls)) {
    const seen = [];
    for (let round = 0; round <= rounds; round += 1) {
      const before = cpuOf(server.pid);
      for (let count = 0; count < 50; count += 1) {
        const answer = await make();
        if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
        if (name.startsWith('GraphQL')) await pause(betweenCalls);
      }
      if (round > 0) seen.push((cpuOf(server.pid) - before) / 50);
    }
    show(`| ${name} | ${median(seen).toFixed(0)} µs |`);
  }
  server.kill();
  await platform.stop();
}

function assetOf() {
  const manifest = new URL('../../console/dist/browser/.vite/manifest.json', import.meta.url);
  return { script: `/console/assets/${JSON.parse(readFileSync(manifest, 'utf8'))['browser/main.tsx'].file}` };
}

async function makeWebhooks(platform, receiver) {
  for (let number = 1; number <= rows; number += 1) {
    const uri = receiver.uriOf(`/${number}`);
    await platform.call('POST', '/v1/webhooks', { name: `Receiver ${number}`, event: 'request.create', uri });
    await pause(betweenCalls);
  }
  const question = '{ webhooks(first: 1, filter: { state: { values: [active] } }) { totalCount } }';
  await until('the webhooks are active', async () => {
    const { data } = await platform.call('POST', '/graphql', { query: question });
    await pause(1_000);
    return data.webhooks.totalCount >= rows;
  });
}

/** Emulates the slow network for a page, with an empty cache. */
async function slowDown(context, page) {
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.clearBrowserCache');
  await devtools.send('Network.emulateNetworkConditions', slow);
}

/** From navigation to the first contentful paint and to the first rows; with an empty cache, then with a full one. */
async function showPaint(browser, platform) {
  const seen = { empty: [], full: [] };
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await (await enter(context, platform)).close();
  for (let round = 0; round < rounds; round += 1) {
    const page = await context.newPage();
    await slowDown(context, page);
    for (const times of Object.values(seen)) {
      await page.goto(`${platform.origin}/accounts/wdc/webhooks`);
      await page.locator('[data-row]').first().waitFor();
      times.push(
        await page.evaluate(() => ({
          paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
          rows: performance.now(),
        })),
      );
    }
    await page.close();
  }
  await context.close();
  show(`\n| \`/webhooks\` with ${rows} webhooks, slow 4G | First contentful paint | First rows |\n|---|---:|---:|`);
  for (const [cache, times] of Object.entries(seen)) {
    const of = (what) => median(times.map((one) => one[what])).toFixed(0);
    show(`| ${cache} cache | ${of('paint')} ms | ${of('rows')} ms |`);
  }
}

/** Key presses in the full list, on the same network: to the handler, and to the next paint. */
async function showInput(browser, platform) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await (await enter(context, platform)).close();
  const page = await context.newPage();
  await slowDown(context, page);
  await page.goto(`${platform.origin}/accounts/wdc/webhooks`);
  const shown = () => page.locator('[data-row]').count();
  await until('all rows', async () => (await shown()) >= rows);
  await page.evaluate(() => {
    new globalThis.PerformanceObserver((list) => globalThis.presses.push(...list.getEntries())).observe({
      type: 'event',
      durationThreshold: 16,
    });
  });
  show(`\n| ${await shown()} rows of \`/webhooks\`, slow 4G | Input delay, p50 | p95 | To the next paint, p50 | p95 |`);
  show('|---|---:|---:|---:|---:|');
  await showPresses(page, 'the next row, `j`', Array(60).fill('j'));
  await page.locator('input[type=search]').focus();
  // Each letter changes the rows, except when the debounce skips it.
  const typed = [...'receiver 4'].map((letter) => (letter === ' ' ? 'Space' : letter));
  const taken = typed.map(() => 'Backspace');
  await showPresses(page, 'a letter of the filter', [...typed, ...taken, ...typed, ...taken, ...typed, ...taken]);
  await context.close();
}

async function showPresses(page, what, keys) {
  await page.evaluate(() => (globalThis.presses = []));
  for (const key of keys) {
    await page.keyboard.press(key);
    await pause(50);
  }
  await pause(500);
  const presses = await page.evaluate(() =>
    globalThis.presses
      .filter(({ name }) => name === 'keydown')
      .map(({ startTime, processingStart, duration }) => ({ delay: processingStart - startTime, duration })),
  );
  // Browsers do not report events below a minimum duration.
  const quick = Array.from({ length: Math.max(keys.length - presses.length, 0) }, () => ({ delay: 0, duration: 16 }));
  const all = [...presses, ...quick];
  const of = (member, share) => {
    const sorted = all.map((one) => one[member]).sort((one, other) => one - other);
    return `${percentile(sorted, share).toFixed(1)} ms`;
  };
  const cells = [of('delay', 0.5), of('delay', 0.95), of('duration', 0.5), of('duration', 0.95)];
  show(`| ${keys.length} presses: ${what} | ${cells.join(' | ')} |`);
}
