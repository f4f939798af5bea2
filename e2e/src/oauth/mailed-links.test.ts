import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { ReceivedMail, SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Page } from 'playwright-core';
import { administratorOf } from '../webhooks/testing/administrator';
import { opensVisits, startChromium, withChromium } from './testing/chromium';
import type { Chromium } from './testing/chromium';
import { auditPage } from './testing/page-audit';
import { startPlatform } from './testing/platform';
import type { Platform } from './testing/platform';

withChromium('mailed links in Chromium', () => {
  let smtp: SmtpReceiver;
  let platform: Platform;
  let chromium: Chromium;

  beforeAll(async () => {
    smtp = await startSmtpReceiver();
    [platform, chromium] = await Promise.all([startPlatform({ SMTP_URL: smtp.url }), startChromium()]);
  });
  afterAll(async () => {
    await chromium.close();
    await platform.stop();
    await platform.remove();
    await smtp.close();
  });
  const open = opensVisits(() => chromium);

  const at = (path: string) => `${platform.origin}${path}`;
  const password = 'three green tall trees';

  const mailsTo = (address: string): ReceivedMail[] => smtp.mails.filter(({ to }) => to.includes(address));
  /** The link in the latest mail with this subject to the address. */
  async function linkTo(address: string, subject: RegExp): Promise<string> {
    const mail = await waitUntil(`the mail to ${address}`, () =>
      mailsTo(address).find(({ email }) => subject.test(email.subject ?? '')),
    );
    return /https?:\/\/\S+/.exec(mail.email.text ?? '')?.[0] ?? '';
  }

  async function invite(name: string, primaryEmail: string): Promise<string> {
    const { personCreate } = await administratorOf(platform).graphql<{ personCreate: { errors: unknown[] } }>(
      `mutation ($name: String!, $primaryEmail: String!) {
        personCreate(input: { name: $name, primaryEmail: $primaryEmail }) { errors { message } } }`,
      { name, primaryEmail },
    );
    expect(personCreate.errors).toEqual([]);
    return linkTo(primaryEmail, /^Your access to/);
  }

  async function choosePassword(page: Page, text: string): Promise<void> {
    await page.getByLabel('New password', { exact: true }).fill(text);
    await page.getByLabel('Repeat the new password').fill(text);
    await page.keyboard.press('Enter');
  }

  async function signIn(page: Page, email: string, text: string): Promise<void> {
    await page.goto(at('/oauth/sign-in'));
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(text);
    await page.keyboard.press('Enter');
  }

  const profile = (page: Page) => page.getByRole('heading', { name: 'Access & Security' }).waitFor();

  test.each(['ada@bücher.example', 'jürgen@e2e.example'])(
    'a person with the internationalized address %s is invited, signs in, and resets the password',
    async (email) => {
      const { page, complaints } = await open({ javaScriptEnabled: false });
      await page.goto(await invite('Ada Ünal', email));
      await choosePassword(page, password);
      await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
      await signIn(page, email, password);
      await profile(page);
      const { page: elsewhere } = await open({ javaScriptEnabled: false });
      await elsewhere.goto(at('/oauth/forgot-password'));
      await elsewhere.getByLabel('E-mail address').fill(email);
      await elsewhere.getByRole('button', { name: 'Send link' }).click();
      await elsewhere.getByRole('heading', { name: 'Check your mails' }).waitFor();
      expect(await linkTo(email, /^Choose a new password/)).toContain('/oauth/choose-password');
      expect(complaints).toEqual([]);
    },
  );

  test('an invited person chooses a password, resets it, and changes password and address, without scripts', async () => {
    const { page, complaints } = await open({ javaScriptEnabled: false });
    const first = 'grace.lin@e2e.example';
    await page.goto(await invite('Grace Lin', first));
    await choosePassword(page, password);
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    await signIn(page, first, password);
    await profile(page);

    const { page: elsewhere } = await open({ javaScriptEnabled: false });
    await elsewhere.goto(at('/oauth/sign-in'));
    await elsewhere.getByRole('link', { name: 'Forgot your password?' }).click();
    await elsewhere.getByLabel('E-mail address').fill(first);
    await elsewhere.getByRole('button', { name: 'Send link' }).click();
    await elsewhere.getByRole('heading', { name: 'Check your mails' }).waitFor();
    await elsewhere.goto(await linkTo(first, /^Choose a new password/));
    await choosePassword(elsewhere, 'seven quiet blue rivers');
    await elsewhere.getByRole('heading', { name: 'Your password is set' }).waitFor();
    await page.goto(at('/oauth/profile'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    await signIn(page, first, 'seven quiet blue rivers');
    await profile(page);
    await page.getByRole('link', { name: 'Change your password' }).click();
    await page.getByLabel('Current password').fill('seven quiet blue rivers');
    await choosePassword(page, password);
    await page.getByRole('status').getByText('Your password is changed,').waitFor();

    const second = 'grace@e2e.example';
    await page.getByRole('link', { name: 'Change your e-mail address' }).click();
    await page.getByLabel('New e-mail address').fill(second);
    await page.getByLabel('Current password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(second).waitFor();
    await elsewhere.goto(await linkTo(second, /^Please verify/));
    await elsewhere.getByRole('button', { name: 'Yes, this is my address' }).click();
    await elsewhere.getByRole('heading', { name: 'Your address is verified' }).waitFor();
    await signIn(elsewhere, second, password);
    await profile(elsewhere);
    expect(await elsewhere.getByText(second).count()).toBe(1);
    const subjects = mailsTo(first).map(({ email }) => email.subject);
    expect(subjects.filter((subject) => subject === 'Your password was changed')).toHaveLength(3);
    expect(subjects).toContain('Your e-mail address is being changed');
    expect(complaints).toEqual([]);
  });

  test('an administrator resends an invitation', async () => {
    const { email, password: own } = platform.demo.accounts.wdc.administrator;
    const invited = 'howard.new@e2e.example';
    await invite('Howard New', invited);
    const { page } = await open();
    await signIn(page, email, own);
    await profile(page);
    await page.goto(at('/oauth/administration/people'));
    await page.getByRole('button', { name: 'Send invitation to Howard New' }).click();
    await page.getByRole('status').getByText('The link was sent.').waitFor();
    await waitUntil('the second mail', () => mailsTo(invited).length === 2);
  });

  test('every page and every refusal on it is accessible, narrow and wide, in light and dark', async () => {
    const { page } = await open({ bypassCSP: true });
    const clean = async (heading: string) => expect(await auditPage(page, heading)).toEqual([]);
    const email = 'ada.new@e2e.example';
    const link = await invite('Ada New', email);
    await page.goto(at('/oauth/sign-in'));
    await clean('Sign in');
    await page.goto(at('/oauth/forgot-password'));
    await clean('Forgot your password?');
    await page.getByLabel('E-mail address').fill('nobody@e2e.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check your mails' }).waitFor();
    await clean('Check your mails');
    await page.goto(link);
    await clean('Choose a password');
    await choosePassword(page, 'qwerty123456');
    await page.getByRole('alert').waitFor();
    await clean('Choose a password');
    await choosePassword(page, password);
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    await clean('Your password is set');
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
    await clean('This link cannot be used');

    await signIn(page, email, password);
    await profile(page);
    await page.goto(at('/oauth/profile/password'));
    await clean('Change your password');
    await page.getByLabel('Current password').fill('wrong');
    await choosePassword(page, 'another three trees');
    await page.getByRole('alert').waitFor();
    await clean('Change your password');
    await page.goto(at('/oauth/profile/address'));
    await clean('Change your e-mail address');
    await page.getByLabel('New e-mail address').fill('ada@e2e.example');
    await page.getByLabel('Current password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await clean('Change your e-mail address');
    await page.getByLabel('Current password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    await clean('Change your e-mail address');
    await page.goto(await linkTo('ada@e2e.example', /^Please verify/));
    await clean('Verify your e-mail address');

    await invite(
      'Somebody with quite a long name, who has not followed the link',
      'long.address.of.somebody@a-long-domain.example',
    );
    const administrator = platform.demo.accounts.wdc.administrator;
    const { page: theirs } = await open({ bypassCSP: true });
    await signIn(theirs, administrator.email, administrator.password);
    await profile(theirs);
    await theirs.goto(at('/oauth/administration/people'));
    expect(await auditPage(theirs, 'People')).toEqual([]);
    await theirs.goto(at('/oauth/profile'));
    expect(await auditPage(theirs, 'Ellen Brown')).toEqual([]);
  });
});
