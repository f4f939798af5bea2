import { createHmac } from 'node:crypto';
import type { DemoPerson } from '@itsm/embedded/demo/demo-file';
import type { CDPSession, Page } from 'playwright-core';
import { opensVisits, startChromium, withChromium } from './testing/chromium';
import type { Chromium, Visit } from './testing/chromium';
import { auditPage } from './testing/page-audit';
import { startPlatform } from './testing/platform';
import type { Platform } from './testing/platform';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The TOTP code (RFC 6238) of an authenticator app with the key of the page. */
function codeOf(key: string, step: number): string {
  const bits = [...key.replaceAll(' ', '')].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}
const stepNow = (): number => Math.floor(Date.now() / 30_000);

withChromium('second factors in Chromium', () => {
  let platform: Platform;
  let chromium: Chromium;

  beforeAll(async () => {
    [platform, chromium] = await Promise.all([startPlatform(), startChromium()]);
  });
  afterAll(async () => {
    await chromium.close();
    await platform.stop();
    await platform.remove();
  });
  const open = opensVisits(() => chromium);

  /** Adds a virtual authenticator by the DevTools protocol; `verified` is whether it verifies its user. */
  async function plugIn({ context, page }: Visit, verified = true) {
    const session: CDPSession = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: verified,
        automaticPresenceSimulation: true,
      },
    });
    return { session, authenticatorId };
  }

  async function enterPassword(page: Page, { email, password }: DemoPerson): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  const isSignedIn = (page: Page) => page.getByRole('heading', { name: 'Access & Security' }).waitFor();
  const signInPage = () => `${platform.origin}/oauth/sign-in`;
  const factorsPage = () => `${platform.origin}/oauth/profile/sign-in`;

  async function openSignedIn(person: DemoPerson, options?: Parameters<Chromium['open']>[0]): Promise<Visit> {
    const visit = await open(options);
    await visit.page.goto(signInPage());
    await enterPassword(visit.page, person);
    await isSignedIn(visit.page);
    return visit;
  }

  const people = () => platform.demo.accounts.wdc;

  test('a passkey is registered, signs in without a password, is the second step after one, and is removed', async () => {
    const visit = await openSignedIn(people().specialist);
    const { page, complaints } = visit;
    await plugIn(visit);
    await page.getByRole('link', { name: /^Sign-in methods/ }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('Work laptop');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Work laptop' }).waitFor();
    expect(await page.locator('ul.codes li').count()).toBe(10);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await isSignedIn(page);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await enterPassword(page, people().specialist);
    await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await isSignedIn(page);

    await page.goto(factorsPage());
    expect(await page.getByText('last used').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    await page.getByText('The second factor is removed.').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await enterPassword(page, people().specialist);
    await isSignedIn(page);
    expect(complaints).toEqual([]);
  });

  test('an authenticator without user verification does not suffice alone', async () => {
    const visit = await openSignedIn(people().end_user);
    const { page } = visit;
    const { session, authenticatorId } = await plugIn(visit);
    await page.goto(factorsPage());
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('Phone');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Phone' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('The passkey could not be used. Please try again.').waitFor();
    await page.goto(`${platform.origin}/oauth/profile`);
    expect(page.url()).toContain('/oauth/sign-in');
  });

  test('an authenticator app, its codes and the recovery codes work without scripts and without a mouse', async () => {
    const person = platform.demo.accounts.acme.specialist;
    const { page, complaints } = await openSignedIn(person, { javaScriptEnabled: false });
    await page.goto(factorsPage());
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Set up an authenticator app');
    const key = (await page.locator('code.token').textContent()) ?? '';
    await page.getByLabel('Code from the app').fill(codeOf(key, stepNow()));
    await page.keyboard.press('Enter');
    const code = (await page.locator('ul.codes code').first().textContent()) ?? '';
    await press('Sign out');
    await enterPassword(page, person);
    await page.getByLabel('Code').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The code is wrong').waitFor();
    // The next time step, since the current code was used to set up the app.
    await page.getByLabel('Code').fill(codeOf(key, stepNow() + 1));
    await page.keyboard.press('Enter');
    await isSignedIn(page);
    await press('Sign out');
    await enterPassword(page, person);
    await page.getByLabel('Code').fill(code);
    await page.keyboard.press('Enter');
    await isSignedIn(page);
    expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);
  });

  test('every page is accessible, narrow and wide, in light and dark', async () => {
    const person = platform.demo.accounts.acme.administrator;
    const visit = await openSignedIn(person, { bypassCSP: true });
    const { page } = visit;
    await plugIn(visit);
    const clean = async (heading: string, picture: string) =>
      expect([picture, await auditPage(page, heading, picture)]).toEqual([picture, []]);
    await page.goto(`${platform.origin}/oauth/administration/account`);
    await clean('Acme', 'account');
    await page.getByLabel('Require a second factor').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your account requires a second factor.').waitFor();
    await clean('Sign-in methods', 'required');
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await clean('Set up an authenticator app', 'authenticator');
    const key = (await page.locator('code.token').textContent()) ?? '';
    await page.getByLabel('Code from the app').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').waitFor();
    await clean('Set up an authenticator app', 'authenticator-refused');
    const renewed = (await page.locator('code.token').textContent()) ?? '';
    expect(renewed).not.toBe(key);
    await page.getByLabel('Code from the app').fill(codeOf(renewed, stepNow()));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await clean('Sign-in methods', 'recovery-codes');
    await page.getByRole('link', { name: 'I have stored them, continue' }).click();
    await page.goto(factorsPage());
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await clean('Add a passkey', 'new-passkey');
    await page.getByLabel('Name').fill('Laptop');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Laptop' }).waitFor();
    await clean('Sign-in methods', 'factors');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await enterPassword(page, person);
    await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
    await clean('Two-step sign-in', 'second-step');
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').first().waitFor();
    await clean('Two-step sign-in', 'second-step-refused');
  });
});
