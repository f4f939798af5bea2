import type { Locator, Page } from 'playwright-core';
import { withChromium } from '../oauth/testing/chromium';
import { comes } from '../oauth/testing/waits';
import { startScene } from './testing/scene';
import type { Scene, Who } from './testing/scene';
import { stepsByKeyboard } from './testing/steps';
import type { Steps } from './testing/steps';
import { watch } from './testing/watch';

interface Faulty {
  readonly name: string;
  readonly who?: Who;
  readonly path: string;
  /** The button that opens it, where it does not stand there. */
  readonly open?: string;
  /** Fills what is to be right at once. */
  readonly fill?: (page: Page, steps: Steps) => Promise<void>;
  readonly field: (page: Page) => Locator;
  /** What is typed first; nothing for a field that is left empty. */
  readonly wrong?: string;
  readonly message: string;
  readonly right: string;
  readonly button: string;
  /** What says that it was sent. */
  readonly done: string;
}

/** The field of this label; also while the list of a combo box is open, which hides all else from screen readers. */
const field =
  (label: string) =>
  (page: Page): Locator =>
    page.getByLabel(new RegExp(`^${label} ?(optional)?$`));
const fillName =
  (name: string) =>
  (page: Page, steps: Steps): Promise<void> =>
    steps.fill(field('Name')(page), name);
const chooseEvent = (page: Page, steps: Steps): Promise<void> =>
  steps.choose(page.getByRole('combobox', { name: 'Event' }), 'problem.create');
const unfold = (page: Page, steps: Steps): Promise<void> => steps.click(page.getByText(/^More: /));

const mails = {
  field: field('Recipients of failure mails'),
  wrong: 'nobody',
  message: 'Recipients of failure mails must be e-mail addresses separated by commas',
  right: 'pager@example.com',
};

withChromium('what is wrong with a form, by the keyboard alone', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
    await scene.administrator.post('/v1/webhooks', {
      name: 'pager',
      event: 'request.create',
      uri: scene.receiver.uriOf('/pager'),
    });
    await scene.administrator.post('/v1/webhook_policies', { name: 'orders', jwt_alg: 'es256' });
  });
  afterAll(() => scene.close());
  const { addressOf, look } = watch(() => scene);

  const forms: readonly Faulty[] = [
    {
      name: 'ask',
      who: 'end_user',
      path: '',
      field: field('Subject'),
      wrong: 'a'.repeat(256),
      message: 'Subject is too long (at most 255 characters)',
      right: 'A new laptop',
      button: 'Send',
      done: 'Sent: A new laptop',
    },
    {
      name: 'webhook-new, of which a field is missing',
      path: '/webhooks/new',
      fill: chooseEvent,
      field: field('Address'),
      message: 'Enter the address of the receiver.',
      right: 'http://127.0.0.1:9/typed',
      button: 'Register',
      done: 'problem.create is registered.',
    },
    {
      name: 'webhook-new, of which a field is folded away',
      path: '/webhooks/new',
      async fill(page, steps) {
        await chooseEvent(page, steps);
        await steps.fill(field('Address')(page), 'http://127.0.0.1:9/folded');
        await unfold(page, steps);
      },
      ...mails,
      button: 'Register',
      done: 'problem.create is registered.',
    },
    { name: 'webhook-edit', path: '/webhooks/1/edit', ...mails, button: 'Save', done: 'pager is saved.' },
    {
      name: 'signing-new',
      path: '/signing/new',
      fill: fillName('invoices'),
      field: field('Audience'),
      wrong: 'a'.repeat(256),
      message: 'Audience is too long (at most 255 characters)',
      right: 'https://receiver.example',
      button: 'Create policy',
      done: 'invoices is ready.',
    },
    {
      name: 'policy-edit',
      path: '/signing/1',
      open: 'Edit',
      field: field('Name'),
      wrong: 'two words',
      message: 'Name must have letters, digits, dots, dashes and underscores only, the first a letter or a digit',
      right: 'renamed',
      button: 'Save',
      done: 'renamed is saved.',
    },
    {
      name: 'policy-edit, of which a field has another name in the API',
      path: '/signing/1',
      open: 'Edit',
      field: field('Lifetime \\(minutes\\)'),
      wrong: '1441',
      message: 'Lifetime (minutes) is not a whole number from 1 to 1440',
      right: '10',
      button: 'Save',
      done: 'renamed is saved.',
    },
    {
      name: 'application-new',
      path: '/applications/new',
      async fill(page, steps) {
        await fillName('Shop')(page, steps);
        await steps.click(page.getByRole('button', { name: 'Read requests' }));
      },
      field: field('Redirect URIs'),
      wrong: 'https://shop.example/callback\nnowhere',
      message: 'Line 2, “nowhere”: Redirect URI must be https',
      right: 'https://shop.example/callback',
      button: 'Create application',
      done: 'Shop is ready.',
    },
    {
      name: 'application-edit',
      path: '/applications/1/edit',
      fill: unfold,
      field: field('Homepage'),
      wrong: 'nowhere',
      message: 'Homepage is not a valid https address',
      right: 'https://shop.example/',
      button: 'Save',
      done: 'Demo application is saved.',
    },
    {
      name: 'application-edit, of which the keys are wrong',
      path: '/applications/1/edit',
      fill: unfold,
      field: field('JWKS URI'),
      wrong: 'nowhere',
      message: 'JWKS URI is not a valid https address',
      right: 'https://shop.example/keys',
      button: 'Save',
      done: 'Demo application is saved.',
    },
    {
      name: 'client-token',
      path: '/applications/1',
      open: 'Add a client token',
      field: field('Name'),
      wrong: 'a'.repeat(81),
      message: 'Name is too long (at most 80 characters)',
      right: 'The server in the cellar',
      button: 'Add',
      done: 'It is shown once',
    },
  ];

  /** Opens the address, and waits until the heading has the focus, from where `Tab` goes on. */
  async function open(page: Page, path: string): Promise<Steps> {
    await page.goto(addressOf(path));
    await comes(page.getByRole('heading', { level: 1 }).and(page.locator(':focus')));
    return stepsByKeyboard(page);
  }

  /** The summary has the focus; `Tab` and `Enter` follow its link with this message. */
  async function followSummary(page: Page, message: string): Promise<void> {
    const summary = page.getByRole('alert');
    const link = summary.getByRole('link', { name: message });
    await comes(link);
    await comes(summary.and(page.locator(':focus')));
    await page.keyboard.press('Tab');
    await comes(link.and(page.locator(':focus')));
    await page.keyboard.press('Enter');
  }

  test.each(forms)(
    '$name: the summary takes the focus and leads to the field, which says what is wrong; mended, it is sent',
    async ({ who = 'administrator', path, open: opener, fill, field: faulty, wrong, message, right, button, done }) => {
      const found = await look(who, async (page) => {
        const steps = await open(page, path);
        if (opener !== undefined) await steps.click(page.getByRole('button', { name: opener, exact: true }));
        await fill?.(page, steps);
        if (wrong !== undefined) await steps.fill(faulty(page), wrong);
        await steps.press('ControlOrMeta+Enter');
        await followSummary(page, message);
        const focused = faulty(page).and(page.locator(':focus'));
        await comes(focused);
        expect(await faulty(page).getAttribute('aria-invalid')).toBe('true');
        expect(await descriptionOf(faulty(page))).toContain(message);
        await steps.press('ControlOrMeta+a');
        await page.keyboard.insertText(right);
        expect(await faulty(page).inputValue()).toBe(right);
        // It is not taken away while somebody mends it.
        expect(await focused.count()).toBe(1);
        await steps.click(page.getByRole('button', { name: button, exact: true }));
        await comes(page.getByText(done).first());
        return [];
      });
      expect(found).toEqual([]);
    },
  );

  test('a group of boxes says what is wrong as a field does', async () => {
    const found = await look('administrator', async (page) => {
      const steps = await open(page, '/applications/new');
      await fillName('Till')(page, steps);
      await steps.fill(field('Redirect URIs')(page), 'https://till.example/callback');
      await steps.press('ControlOrMeta+Enter');
      const message = 'At least one scope is required';
      await followSummary(page, message);
      const group = page.getByRole('group', { name: 'Scopes' });
      const preset = group.getByRole('button', { name: 'Read requests' });
      await comes(preset.and(page.locator(':focus')));
      expect(await descriptionOf(group)).toContain(message);
      await page.keyboard.press('Enter');
      await steps.click(page.getByRole('button', { name: 'Create application' }));
      await comes(page.getByText('Till is ready.').first());
      return [];
    });
    expect(found).toEqual([]);
  });

  test('a link of the summary unfolds what its field is in', async () => {
    const found = await look('administrator', async (page) => {
      const steps = await open(page, '/webhooks/1/edit');
      await steps.fill(mails.field(page), mails.wrong);
      await steps.press('ControlOrMeta+Enter');
      await comes(page.getByRole('alert').getByRole('link', { name: mails.message }));
      await unfold(page, steps);
      await mails.field(page).waitFor({ state: 'hidden' });
      await steps.click(page.getByRole('alert').getByRole('link', { name: mails.message }));
      await comes(mails.field(page).and(page.locator(':focus')));
      return [];
    });
    expect(found).toEqual([]);
  });
});

/** What is read after the name of a field, and with a group when it is entered. */
const descriptionOf = (element: Locator): Promise<string> =>
  element.evaluate((described) =>
    (described.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );
