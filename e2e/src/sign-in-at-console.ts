import { createBrowser } from './tour/browser';

/** Signs in at the platform's URL, and checks that the console of the person's account opens with their session. */
export async function expectSignIn(
  baseUrl: string,
  person: { readonly email: string; readonly password: string },
  account = 'wdc',
): Promise<void> {
  const browser = createBrowser(baseUrl);
  const { forms } = await browser.visit(`${baseUrl}/`);
  const form = forms.find(({ fields }) => 'next' in fields);
  if (!form) throw new Error('There is no form to sign in');
  const { url, status, html } = await browser.submit(form, person);
  expect([url, status]).toEqual([`${baseUrl}/accounts/${account}`, 200]);
  expect(html).toContain('<div id="root">');
  // A second visit shows that the session is valid.
  expect((await browser.visit(`${baseUrl}/`)).url).toBe(`${baseUrl}/accounts/${account}`);
}
