// node scripts/pictures.mjs: takes the screenshots of the documentation, docs/pictures/console-*.png.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { enter, startBrowser, startDemoPlatform } from './demo-platform.mjs';
import { prepare, root, say } from './prepare.mjs';

const folder = join(root, 'docs/pictures');
const question = `query OpenRequests {
  requests(first: 20, filter: { status: { values: [completed], negate: true } }) {
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
const platform = await startDemoPlatform('story');
const browser = await startBrowser();
try {
  await forAdministrators(await failed());
  await forTheDesk();
  await forEndUsers();
} finally {
  await browser.close();
  await platform.stop();
}

/** The failing webhook of the story, and a delivery that was tried twice. */
async function failed() {
  const [webhook] = await platform.call('GET', '/v1/webhooks?name=Pager');
  const twice = async () => {
    const { webhookDeliveries } = await ask(
      '{ webhookDeliveries(first: 50) { nodes { deliveryId webhook { name } attempts { attempt } } } }',
    );
    return webhookDeliveries.nodes.find(({ webhook: of, attempts }) => of?.name === 'Pager' && attempts.length > 1);
  };
  await until('a delivery has failed twice', async () => (await twice()) !== undefined);
  return { webhook: webhook.id, delivery: (await twice()).deliveryId };
}

async function open(person, look = {}) {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 720 }, ...look });
  const page = await enter(context, platform, person);
  return {
    page,
    async take(name, path) {
      await page.goto(`${platform.origin}/accounts/wdc${path}`);
      await picture(page, name);
    },
  };
}

async function forAdministrators({ webhook, delivery }) {
  const { page, take } = await open(platform.people.administrator);
  await take('home', '');
  await take('webhooks', '/webhooks');
  await take('webhook-failing', `/webhooks/${webhook}`);
  await take('delivery', `/deliveries/${delivery}`);
  await take('applications', '/applications');
  await page.emulateMedia({ colorScheme: 'dark' });
  await take('webhook-failing-dark', `/webhooks/${webhook}`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('about:blank');
  await page.goto(`${platform.origin}/accounts/wdc/explorer#query=${encodeURIComponent(question)}`);
  await page.locator('.cm-content').first().waitFor();
  await page.getByRole('button', { name: /^Run/ }).click();
  await picture(page, 'explorer');
}

/** What a specialist and the lead of a team do. */
async function forTheDesk() {
  const howard = await open(platform.people.specialist);
  await howard.take('desk-home', '');
  await howard.take('desk-list', '/requests?view=open');
  await howard.take('desk-record', `/requests/${await numberOf('requests', 'wifi-b')}`);
  const mia = await open(platform.people.others.find(({ name }) => name === 'Mia Okafor'));
  await mia.take('desk-problem', `/problems/${await numberOf('problems', 'firmware')}`);
  await mia.take('desk-team', `/teams/${await numberOf('teams', 'network')}`);
}

/** What an end user sees, on a phone. */
async function forEndUsers() {
  const { take } = await open(platform.people.end_user, {
    viewport: { width: 390, height: 760 },
    deviceScaleFactor: 2,
  });
  await take('phone-home', '');
  await take('phone-request', `/requests/${await numberOf('requests', 'share')}`);
}

async function numberOf(plural, key) {
  const [record] = await platform.call('GET', `/v1/${plural}?source=demo&sourceID=${key}&fields=id`);
  return record.id;
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
