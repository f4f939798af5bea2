import { formTokenIn, openSignedIn } from '../testing/browser';
import { callback, seedPerson, startStore } from '../testing/start-auth';
import type { Auth } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const home = '/oauth/administration/applications';
const filled = { name: 'Reporting', grantType: 'authorization_code', action: 'me:Name', redirectUris: callback };

/** Sends the form for a new application with `fields` changed; returns the page. */
async function refused(fields: object): Promise<string> {
  const browser = await openSignedIn(auth, await seedPerson(auth));
  const form_token = formTokenIn(await browser.get(`${home}/new`));
  const answer = await browser
    .post(home)
    .type('form')
    .send({ form_token, ...filled, ...fields });
  expect(answer.status).toBe(422);
  return answer.text;
}

test('a redirect URI is refused by its line, together with all other problems, each at its field', async () => {
  const redirectUris = `${callback}\n\nftp://a.example/cb\nhttps://b.example/cb#x`;
  const text = await refused({ name: '', redirectUris });
  const problems = [...text.matchAll(/<a href="#(\w+)">([^<]+)<\/a>/g)].map(([, field, problem]) => [field, problem]);
  expect(problems).toEqual([
    ['name', 'Name is required'],
    ['redirectUris', expect.stringMatching(/^Line 3, “ftp:\/\/a\.example\/cb”: Redirect URI must be https/)],
    ['redirectUris', expect.stringMatching(/^Line 4, “https:\/\/b\.example\/cb#x”: Redirect URI must be https/)],
  ]);
  expect(text).toMatch(/<textarea id="redirectUris"[^>]* aria-describedby="redirectUris-problem redirect-hint"/);
  expect(text.match(/id="redirectUris-problem"/g)).toHaveLength(1);
  expect(text).toMatch(/<div class="notice bad" role="alert" tabindex="-1" autofocus>/);
});

test('missing settings are reported with the first attempt', async () => {
  const text = await refused({ action: [], redirectUris: '' });
  expect(text).toContain('At least one scope is required');
  expect(text).toContain('A redirect URI is required for the authorization code grant');
});
