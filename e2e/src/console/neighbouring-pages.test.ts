import type { Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import type { Visit } from '../oauth/testing/chromium';
import { auditPage } from '../oauth/testing/page-audit';
import { comes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene } from './testing/scene';

/** The pages beside the console: all have the same bar, with links to the console and the profile. */
withChromium('the pages beside the console', () => {
  let scene: Scene;
  let visit: Visit;
  let addresses: Readonly<Record<string, string>>;
  beforeAll(async () => {
    scene = await startScene();
    visit = await scene.enter('administrator');
    const failing = await scene.register('failing');
    scene.receiver.answer('/failing', 500);
    await scene.createRequest('It fails');
    await scene.waitForWebhook(failing, { failures: 1 });
    const waiting = await scene.administrator.post('/v1/webhooks', {
      name: 'Calendar',
      event: 'workflow.create',
      uri: scene.receiver.uriOf('/calendar'),
    });
    const { body } = await scene.receiver.next('/calendar');
    const { callback } = body['payload'] as { readonly callback: string };
    const { id } = await scene.administrator.post('/v1/ui_extensions', {
      name: 'Laptop order',
      html: '<h1>Order</h1>',
      javascript: 'void 0',
    });
    const linkTo = async (path: string) => String(Object.values(await scene.administrator.post(path, {}))[0]);
    addresses = {
      'webhook-failing': await linkTo(`/v1/webhooks/${failing}/page`),
      'webhook-unverified': await linkTo(`/v1/webhooks/${String(waiting['id'])}/page`),
      'webhook-closed': `/accounts/wdc/webhooks/${failing}/page?token=x`,
      verified: callback,
      'verified-before': callback,
      preview: await linkTo(`/v1/ui_extensions/${String(id)}/preview`),
      'preview-missing': `/ui_extension_previews/${'x'.repeat(43)}`,
      documentation: '/docs/v1/webhooks',
      profile: '/oauth/profile',
      administration: '/oauth/administration/sso-configurations',
      'security-log': '/oauth/administration/security-log',
    };
  });
  afterAll(() => scene.close());

  const inBar = (page: Page, name: string) =>
    page.getByRole('banner').getByRole('navigation', { name: 'Service Management' }).getByRole('link', { name });

  test.each([
    ['webhook-failing', 'failing'],
    ['webhook-unverified', 'Calendar'],
    ['webhook-closed', 'This link does not work'],
    ['verified', 'Verification successful'],
    ['verified-before', 'This link does not work'],
    ['preview', /^Laptop order/],
    ['preview-missing', 'There is no preview here'],
    ['documentation', /./],
    ['profile', 'Ellen Brown'],
    ['administration', 'SSO configurations'],
    ['security-log', 'Security log'],
  ])('%s is accessible, and links to the console and to the profile', async (name, heading) => {
    const page = await visit.context.newPage();
    const known = visit.complaints.length;
    await page.goto(new URL(addresses[name] ?? '', scene.platform.origin).href);
    expect(await auditPage(page, heading, `beside-${name}`)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await inBar(page, 'Profile').click();
    await comes(page.getByRole('heading', { level: 1, name: 'Ellen Brown' }));
    await inBar(page, 'Console').click();
    await comes(page.getByRole('heading', { level: 1, name: 'Hello, Ellen' }));
    // Opening a callback twice is a 404, which Chromium reports in its console.
    expect(visit.complaints.slice(known).filter((text) => !/status of 404/.test(text))).toEqual([]);
    await page.close();
  });

  test("times are in the person's language and time zone", async () => {
    const { me } = await scene.administrator.graphql<{ readonly me: { readonly id: string } }>('{ me { id } }', {});
    await scene.administrator.graphql(
      `mutation ($id: ID!) { personUpdate(input: { id: $id, locale: "nl-NL", timeZone: "Asia/Tokyo" }) { errors { message } } }`,
      { id: me.id },
    );
    const page = await visit.context.newPage();
    await page.goto(`${scene.platform.origin}/oauth/profile`);
    const time = page.locator('#security-log ~ ol time, ol.log time').first();
    const moment = new Date((await time.getAttribute('datetime')) ?? '');
    const day = new Intl.DateTimeFormat('nl-NL', {
      timeZone: 'Asia/Tokyo',
      year: 'numeric',
      month: 'short',
      day: 'numeric',
    }).format(moment);
    expect(await time.innerText()).toMatch(new RegExp(`^${day}.* (GMT\\+9|JST)$`));
    await page.close();
  });
});
