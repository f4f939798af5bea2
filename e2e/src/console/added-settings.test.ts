import { register } from 'prom-client';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { copyToWork } from '@itsm/shared/testing/worked-copy';
import type { WorkedCopy } from '@itsm/shared/testing/worked-copy';
import { startChromium, withChromium } from '../oauth/testing/chromium';
import type { Chromium } from '../oauth/testing/chromium';
import { comes } from '../oauth/testing/waits';
import type * as WithConsole from '../../../embedded/src/testing/console-browser';
import { signIn } from './testing/scene';

const settings = `
    { name: 'isLoud', label: 'Ring loudly', kind: 'flag', default: false, older: false, help: 'It rings.' },
    { name: 'contact', label: 'Contact', kind: 'text', maxLength: 128, help: 'Whom to ask.' },
    {
      name: 'colour',
      label: 'Colour of the badge',
      kind: 'choice',
      enumName: 'COLOURS',
      choices: ['red', 'dark_blue'],
      words: { red: 'Ruby' },
    },`;
const lines = (prefix: string): string => settings.replace('COLOURS', `${prefix}Colour`);

/** A platform whose declarations have three settings more; the console is the one that was built without them. */
withChromium('settings that no line of the console knows', () => {
  let copy: WorkedCopy;
  let platform: WithConsole.StartedPlatform;
  let chromium: Chromium;
  beforeAll(async () => {
    copy = copyToWork(['services/auth', 'services/webhooks', 'embedded']);
    for (const compiled of ['services/auth/dist', 'services/webhooks/dist', 'embedded/dist']) copy.link(compiled);
    copy.add('services/webhooks/src/webhooks/webhook-type.ts', '  fields: [', lines('Webhook'));
    copy.add('services/webhooks/src/policies/policy.ts', '  fields: [', lines('Policy'));
    copy.add('services/auth/src/clients/application.ts', '  fields: [', lines('Application'));
    register.clear();
    const { startWithConsole } = await copy.load<typeof WithConsole>('embedded/src/testing/console-browser.ts');
    platform = await startWithConsole();
    chromium = await startChromium();
  });
  afterAll(async () => {
    await chromium.close();
    await platform.close();
    copy.remove();
  });

  /** Creates one, on a busy machine perhaps one more. */
  const create = (path: string, body: object): Promise<boolean> => {
    const { personal_access_token: token } = platform.demo.accounts.wdc.administrator;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-service-account': 'wdc',
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return waitUntil(path, async () => (await fetch(platform.baseUrl + path, init)).status === 201);
  };

  test('are in the forms, are saved, and are on the pages and in the histories', async () => {
    await create('/v1/webhooks', { event: 'task.create', uri: 'http://127.0.0.1:9/hook', name: 'pager' });
    await create('/v1/webhook_policies', {});
    const visit = await chromium.open();
    const { page, complaints } = visit;
    await page.goto(`${platform.baseUrl}/accounts/wdc`);
    await signIn(page, platform.demo.accounts.wdc.administrator);
    await comes(page.getByRole('navigation', { name: 'Console' }));
    // Before the sign-in the page asked for the session and got a 401, which Chromium reports.
    (complaints as string[]).length = 0;
    for (const [form, shown] of [
      ['/webhooks/1/edit', '/webhooks/1'],
      ['/signing/1', '/signing/1'],
      ['/applications/1/edit', '/applications/1'],
    ] as const) {
      await page.goto(`${platform.baseUrl}/accounts/wdc${form}`);
      if (form === shown) await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('checkbox', { name: 'Ring loudly' }).check();
      await page.getByRole('textbox', { name: /^Contact/ }).fill('Ada');
      await page.getByRole('button', { name: /Colour of the badge/ }).click();
      await page.getByRole('option', { name: 'Ruby' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await comes(page.getByText('is saved.').first());
      await page.goto(`${platform.baseUrl}/accounts/wdc${shown}`);
      const facts = page.locator('dl.facts');
      await comes(facts.getByText('Ruby').first());
      for (const words of ['Ring loudly', 'Contact', 'Ada', 'Colour of the badge'])
        await comes(facts.getByText(words, { exact: true }).first());
      // The log of applications is a page of its own.
      if (!form.startsWith('/applications')) await comes(page.getByText(/contact: none → Ada/).first());
    }
    expect(complaints).toEqual([]);
    await visit.close();
  });
});
