// node scripts/pictures.mjs: takes the screenshots of the documentation, docs/pictures/console-*.png.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { enter, startBrowser, startDemoPlatform, startReceiver } from './demo-platform.mjs';
import { prepare, root, say } from './prepare.mjs';

const folder = join(root, 'docs/pictures');
const subjects = [
  'The coffee machine is broken',
  'A second screen for the desk by the window',
  'The printer on the third floor prints empty pages',
  'Access to the folder of the finance team',
  'The badge does not open the garage any more',
  'Calls break off when the lift passes',
  'A laptop for the colleague who starts on Monday',
  'The calendar shows meetings an hour late',
];
const question = `query OpenRequests {
  requests(first: 20, filter: { status: { values: ["completed"], negate: true } }) {
    totalCount
    nodes {
      id
      subject
      status
      requestedBy { name }
      notes(last: 3) { nodes { text createdAt } }
    }
  }
}`;

await prepare();
mkdirSync(folder, { recursive: true });
const platform = await startDemoPlatform();
const receiver = await startReceiver((path) => (path === '/warehouse' ? 500 : 200));
const browser = await startBrowser();
try {
  const shown = await makeData();
  await takeAll(shown);
} finally {
  await browser.close();
  receiver.close();
  await platform.stop();
}

/** Creates healthy, failing and unverified webhooks, and requests to deliver to them. */
async function makeData() {
  const post = (webhook) => platform.call('POST', '/v1/webhooks', webhook);
  await post({ name: 'Incident pager', event: 'request.create', uri: receiver.uriOf('/pager') });
  const failing = await post({ name: 'Data warehouse', event: 'request.create', uri: receiver.uriOf('/warehouse') });
  await post({ name: 'Change calendar', event: 'workflow.create', uri: receiver.uriOf('/calendar') });
  await post({ name: 'Chat room', event: 'problem.create', uri: 'http://127.0.0.1:9/chat' });
  await until('three webhooks are active', async () => {
    const { webhooks } = await ask('{ webhooks(first: 10) { nodes { state } } }');
    return webhooks.nodes.filter(({ state }) => state === 'active').length === 3;
  });
  for (const subject of subjects) {
    const { requestCreate } = await ask(
      `mutation { requestCreate(input: { subject: ${JSON.stringify(subject)} }) { errors { message } } }`,
    );
    if (requestCreate.errors?.length) throw new Error(requestCreate.errors[0].message);
    await pause(300);
  }
  const failed = async () => {
    const { webhookDeliveries } = await ask(
      '{ webhookDeliveries(first: 50) { nodes { deliveryId webhook { name } attempts { attempt } } } }',
    );
    return webhookDeliveries.nodes.filter(
      ({ webhook, attempts }) => webhook?.name === 'Data warehouse' && attempts.length > 1,
    );
  };
  await until('its deliveries have failed twice', async () => (await failed()).length >= 3);
  const [{ deliveryId }] = await failed();
  return { failing: failing.id, delivery: deliveryId };
}

async function takeAll({ failing, delivery }) {
  const light = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 720 } });
  const page = await enter(light, platform);
  const take = async (name, path) => {
    await page.goto(`${platform.origin}/accounts/wdc${path}`);
    await picture(page, name);
  };
  await take('home', '');
  await take('webhooks', '/webhooks');
  await take('webhook-failing', `/webhooks/${failing}`);
  await take('delivery', `/deliveries/${delivery}`);
  await take('applications', '/applications');
  await page.emulateMedia({ colorScheme: 'dark' });
  await take('webhook-failing-dark', `/webhooks/${failing}`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('about:blank');
  await page.goto(`${platform.origin}/accounts/wdc/explorer#query=${encodeURIComponent(question)}`);
  await page.locator('.cm-content').first().waitFor();
  await page.getByRole('button', { name: /^Run/ }).click();
  await picture(page, 'explorer');
}

async function picture(page, name) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  // After navigation the heading has the focus, which should not show in a screenshot.
  await page.getByRole('heading', { level: 1 }).evaluate((heading) => heading.blur());
  await page.screenshot({ path: join(folder, `console-${name}.png`), animations: 'disabled', caret: 'hide' });
  say(`console-${name}.png`);
}

async function ask(query) {
  const { data, errors } = await platform.call('POST', '/graphql', { query });
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function until(what, isSo) {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 60) throw new Error(`Not within a minute: ${what}`);
    await pause(1000);
  }
}
