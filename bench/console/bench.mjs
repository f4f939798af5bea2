import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { enter, freePort, startBrowser, startDemoPlatform, startReceiver } from '../../scripts/demo-platform.mjs';
import { median, percentile } from '../measure.mjs';
import { hasRunFromSources, until } from '../platform.mjs';
import { cpuOf } from '../stores.mjs';

const load = createRequire(import.meta.url);
const rounds = 5;
/** Deliveries to be shown: as many as a list takes before it asks for a filter. */
const rows = 500;
const webhooksPerRequest = 10;
/** "Slow 4G": 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back. */
const slow = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
/** A token may make 20 calls in 2 s. */
const betweenCalls = 120;

const show = (text) => process.stdout.write(`${text}\n`);

/** What the bundles weigh, what screens cost in points, what the console's server costs, and what the browser waits for. */
const parts = { weights: showWeights, points: showPoints, server: showServer, browser: showBrowser };

/** `--only=` names one of the parts. */
export async function run(options) {
  if (hasRunFromSources('console', options)) return;
  const only = options.find((option) => option.startsWith('--only='))?.slice('--only='.length);
  for (const [name, part] of Object.entries(parts)) if (only === undefined || name === only) await part();
}

async function showBrowser() {
  const platform = await startDemoPlatform();
  const receiver = await startReceiver(() => 200);
  const browser = await startBrowser();
  await makeDeliveries(platform, receiver);
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

/** The console's server in a process of its own before the same platform, with a session that is sealed here. */
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

async function makeDeliveries(platform, receiver) {
  for (let number = 1; number <= webhooksPerRequest; number += 1) {
    const uri = receiver.uriOf(`/${number}`);
    await platform.call('POST', '/v1/webhooks', { name: `Receiver ${number}`, event: 'request.create', uri });
    await pause(betweenCalls);
  }
  const ask = async (query) => (await platform.call('POST', '/graphql', { query })).data;
  await until('the webhooks are active', async () => {
    const { webhooks } = await ask('{ webhooks(first: 20) { nodes { state } } }');
    return webhooks.nodes.every(({ state }) => state === 'active');
  });
  for (let number = 0; number < rows / webhooksPerRequest; number += 1) {
    await ask(`mutation { requestCreate(input: { subject: "Request ${number}" }) { errors { message } } }`);
    await pause(betweenCalls);
  }
  await until('every delivery has been made', async () => {
    const { webhookDeliveries } = await ask(
      '{ webhookDeliveries(first: 1, filter: { state: { values: [delivered] } }) { totalCount } }',
    );
    return webhookDeliveries.totalCount >= rows;
  });
}

/** From the address bar to the first paint with content, and to the rows; first with an empty cache, then with a full one. */
async function showPaint(browser, platform) {
  const seen = { empty: [], full: [] };
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await (await enter(context, platform)).close();
  for (let round = 0; round < rounds; round += 1) {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.clearBrowserCache');
    await devtools.send('Network.emulateNetworkConditions', slow);
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
  show('\n| `/webhooks`, slow 4G | First contentful paint | Rows |\n|---|---:|---:|');
  for (const [cache, times] of Object.entries(seen)) {
    const of = (what) => median(times.map((one) => one[what])).toFixed(0);
    show(`| ${cache} cache | ${of('paint')} ms | ${of('rows')} ms |`);
  }
}

/** Keys in the list of deliveries with all its rows: from the press to the handler, and to the next paint. */
async function showInput(browser, platform) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await enter(context, platform, '/deliveries');
  const shown = () => page.locator('[data-row]').count();
  while ((await shown()) < rows) {
    const before = await shown();
    await page.getByRole('button', { name: 'Show 50 more' }).click();
    await until('more rows', async () => (await shown()) > before);
  }
  await page.evaluate(() => {
    globalThis.presses = [];
    new globalThis.PerformanceObserver((list) => globalThis.presses.push(...list.getEntries())).observe({
      type: 'event',
      durationThreshold: 16,
    });
  });
  const keys = 60;
  for (let count = 0; count < keys; count += 1) {
    await page.keyboard.press('j');
    await pause(50);
  }
  await pause(500);
  const presses = await page.evaluate(() =>
    globalThis.presses
      .filter(({ name }) => name === 'keydown')
      .map(({ startTime, processingStart, duration }) => ({ delay: processingStart - startTime, duration })),
  );
  // Those below the least duration that browsers tell are not told at all.
  const quick = Array.from({ length: Math.max(keys - presses.length, 0) }, () => ({ delay: 0, duration: 16 }));
  const all = [...presses, ...quick];
  const sorted = (what) => all.map((one) => one[what]).sort((one, other) => one - other);
  show(`\n| ${await shown()} rows, ${keys} presses of \`j\` | p50 | p95 |\n|---|---:|---:|`);
  for (const [name, what] of [
    ['Input delay', 'delay'],
    ['To the next paint', 'duration'],
  ])
    show(
      `| ${name} | ${percentile(sorted(what), 0.5).toFixed(1)} ms | ${percentile(sorted(what), 0.95).toFixed(1)} ms |`,
    );
  await context.close();
}
