import { generateKeyPairSync } from 'node:crypto';
import { startChromium, withChromium } from './testing/chromium';
import type { Chromium } from './testing/chromium';
import { auditPage } from './testing/page-audit';
import { startPlatform } from './testing/platform';
import type { Platform } from './testing/platform';

withChromium('keys of applications in Chromium', () => {
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

  test('an administrator registers keys by keyboard, reads the errors, and finds the keys on the page', async () => {
    const visit = await chromium.open({ bypassCSP: true });
    const { page } = visit;
    const { administrator } = platform.demo.accounts.wdc;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const setOf = (key: typeof publicKey) =>
      JSON.stringify({ keys: [{ ...key.export({ format: 'jwk' }), kid: '2030' }] });
    await page.goto(`${platform.origin}/oauth/sign-in`);
    await page.getByLabel('E-mail address').fill(administrator.email);
    await page.getByLabel('Password').fill(administrator.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Access & Security' }).waitFor();
    await page.goto(`${platform.origin}/oauth/administration/applications/new`);
    await page.getByLabel('Name', { exact: true }).fill('Signs for itself');
    await page.getByLabel('Redirect URIs').fill('https://client.example/callback');
    await page.getByLabel('See who the person is').check();

    await page.getByLabel('JWKS', { exact: true }).fill(setOf(privateKey));
    await page.getByLabel('Refuse secrets').check();
    await page.getByRole('button', { name: 'Create application' }).click();
    const alert = page.getByRole('alert');
    await alert.getByRole('link', { name: /^Keys must be public/ }).click();
    expect(page.url()).toMatch(/#jwks$/);
    expect(await auditPage(page, 'New application', 'keys-refused')).toEqual([]);

    await page.getByLabel('JWKS', { exact: true }).fill(setOf(publicKey));
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByText('EC P-256 · 2030').waitFor();
    await page.getByText('Refused: clients authenticate with their keys').waitFor();
    expect(await auditPage(page, 'Signs for itself', 'keys-registered')).toEqual([]);
    await visit.close();
  });
});
