import { createBrowser } from './tour/browser';

/** Signs in where the platform's address leads, and expects the console of the account `wdc`. */
export async function expectSignIn(
  baseUrl: string,
  person: { readonly email: string; readonly password: string },
): Promise<void> {
  const browser = createBrowser(baseUrl);
  const { forms } = await browser.visit(`${baseUrl}/`);
  const form = forms.find(({ fields }) => 'next' in fields);
  if (!form) throw new Error('There is no form to sign in');
  const { url, status, html } = await browser.submit(form, person);
  expect([url, status]).toEqual([`${baseUrl}/accounts/wdc`, 200]);
  expect(html).toContain('<div id="root">');
  // The page that a second visit leads to shows that the session counts.
  expect((await browser.visit(`${baseUrl}/`)).url).toBe(`${baseUrl}/accounts/wdc`);
}
