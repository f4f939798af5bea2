import { withChromium } from '../oauth/testing/chromium';
import type { Visit } from '../oauth/testing/chromium';
import { auditPage } from '../oauth/testing/page-audit';
import { comes, goes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene, Who } from './testing/scene';

interface Screen {
  readonly name: string;
  readonly who: Who;
  readonly path: string;
  readonly heading: string | RegExp;
}

const screens: readonly Screen[] = [
  { name: 'home-administrator', who: 'administrator', path: '', heading: 'Hello, Ellen' },
  { name: 'home-specialist', who: 'specialist', path: '', heading: 'Hello, Howard' },
  { name: 'home-end-user', who: 'end_user', path: '', heading: 'Hello, Grace' },
  { name: 'webhooks', who: 'administrator', path: '/webhooks', heading: 'Webhooks' },
  { name: 'webhook-new', who: 'administrator', path: '/webhooks/new', heading: 'New webhook' },
  { name: 'webhook', who: 'administrator', path: '/webhooks/1', heading: /Pager/ },
  { name: 'webhook-edit', who: 'administrator', path: '/webhooks/1/edit', heading: /Pager/ },
  { name: 'webhook-why', who: 'administrator', path: '/webhooks/1/why', heading: /./ },
  { name: 'why-everywhere', who: 'administrator', path: '/webhooks/why', heading: 'Why was it not delivered?' },
  { name: 'webhook-recover', who: 'administrator', path: '/webhooks/1/recover', heading: /./ },
  { name: 'webhook-missing', who: 'administrator', path: '/webhooks/4711', heading: /./ },
  { name: 'webhooks-not-allowed', who: 'specialist', path: '/webhooks', heading: 'Webhooks' },
  { name: 'deliveries', who: 'administrator', path: '/deliveries', heading: 'Deliveries' },
  { name: 'signing', who: 'administrator', path: '/signing', heading: 'Signing' },
  { name: 'signing-new', who: 'administrator', path: '/signing/new', heading: /./ },
  { name: 'explorer', who: 'administrator', path: '/explorer', heading: 'Explorer' },
  { name: 'applications', who: 'administrator', path: '/applications', heading: 'Applications' },
  { name: 'application-new', who: 'administrator', path: '/applications/new', heading: /./ },
  { name: 'application', who: 'administrator', path: '/applications/1', heading: /./ },
  { name: 'applications-not-allowed', who: 'end_user', path: '/applications', heading: 'Applications' },
  { name: 'requests', who: 'specialist', path: '/requests', heading: 'Requests' },
  { name: 'requests-as-end-user', who: 'end_user', path: '/requests', heading: 'My requests' },
  { name: 'record', who: 'specialist', path: '/requests/1', heading: /./ },
  { name: 'request-new', who: 'specialist', path: '/requests/new', heading: 'New request' },
  { name: 'team', who: 'specialist', path: '/teams/1', heading: 'Service Desk' },
  { name: 'record-missing', who: 'specialist', path: '/requests/471100', heading: 'Request 471100' },
];

/** Chromium reports each 404 in its console, such as that of a missing record. */
const isMissing = (text: string): boolean => /status of 404/.test(text);

withChromium('the screens of the console', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
    const webhook = { name: 'Pager', event: 'request.update', uri: scene.receiver.uriOf('/pager') };
    await scene.administrator.post('/v1/webhooks', webhook);
  });
  afterAll(() => scene.close());

  /** One sign-in per role. */
  const visits = new Map<Who, Promise<Visit>>();
  const visitOf = (who: Who): Promise<Visit> => {
    const visit = visits.get(who) ?? scene.enter(who);
    visits.set(who, visit);
    return visit;
  };

  test.each(screens)(
    '$name can be used by everybody, narrow and wide, in light and dark, asks for nothing that its policy forbids, and takes the focus to its heading',
    async (screen) => {
      const visit = await visitOf(screen.who);
      const known = visit.complaints.length;
      const page = await visit.context.newPage();
      await page.goto(`${scene.platform.origin}/accounts/wdc${screen.path}`);
      await comes(page.getByRole('heading', { level: 1, name: screen.heading }).and(page.locator(':focus')));
      // Content that loads later would replace the element that the keyboard should reach.
      await goes(page.getByRole('status', { name: 'Loading' }).first());
      expect(await auditPage(page, screen.heading, `console-${screen.name}`)).toEqual([]);
      await page.close();
      expect(visit.complaints.slice(known).filter((text) => !isMissing(text))).toEqual([]);
    },
  );

  test('Ctrl Enter sends a form from a text area', async () => {
    const page = await (await visitOf('end_user')).context.newPage();
    await page.goto(`${scene.platform.origin}/accounts/wdc`);
    await page.getByLabel('Subject').fill('A new laptop');
    await page.getByLabel('Details').press('Control+Enter');
    await comes(page.getByText('Sent: A new laptop'));
    await page.close();
  });
});
