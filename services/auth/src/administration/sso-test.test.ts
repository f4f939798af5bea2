import { formTokenIn, openBrowser, openSignedIn } from '../testing/browser';
import { claimsFor, withLocalProvider } from '../testing/exchange';
import { json, sign } from '../testing/local-provider';
import type { LocalKey, LocalProvider } from '../testing/local-provider';
import type { Auth } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let auth: Auth;
let key: LocalKey;
let provider: LocalProvider;
withLocalProvider((started) => ({ auth, key, provider } = started));

const audience = 'https://itsm.example/api';

async function seed() {
  const person = await seedPerson(auth);
  const { id } = await auth.app.services.ssoConfigurations.create(person.accountId, {
    name: 'Our <provider>',
    issuer: provider.issuer,
    identifier: 'primary_email',
  });
  const browser = await openSignedIn(auth, person);
  const address = `/oauth/administration/sso-configurations/${id}/test`;
  const run = async (token: string, given = audience) => {
    const form_token = formTokenIn(await browser.get(address).expect(200));
    const { text } = await browser.post(address).type('form').send({ form_token, audience: given, token }).expect(200);
    const steps = [...text.matchAll(/<dt>(\w+)<\/dt><dd>(<span class="badge">Failed<\/span> )?([^<]*)/g)];
    return steps.map(([, name, failed, said]) => [name, failed === undefined, said]);
  };
  return { person, browser, address, run };
}

const words = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const documents = [
  ['Discovery', true, words(/keys are at/)],
  ['Keys', true, words(/^1 usable: key-/)],
];

test('the page shows the person whom a pasted token identifies, and does not use the token up', async () => {
  const { person, run } = await seed();
  const token = await sign(key, claimsFor(auth, provider.issuer, person));
  for (let time = 0; time < 2; time += 1) {
    expect(await run(token)).toEqual([
      ...documents,
      ['Token', true, words(/^Signature/)],
      ['Person', true, `Ellen Brown (${person.email}) of ${person.accountId}`],
    ]);
  }
  expect(await run('')).toEqual(documents);
  expect(auth.log.join('')).not.toContain(token);
});

test('the page shows why a token identifies nobody', async () => {
  const { person, run } = await seed();
  const stranger = await seedPerson(auth);
  const failing = async (claims: object, because: RegExp) => {
    const steps = await run(await sign(key, { ...claimsFor(auth, provider.issuer, person), ...claims }));
    expect(steps.at(-1)).toEqual([words(/Token|Person/), false, words(because)]);
  };
  await failing({ email: stranger.email }, /matches no person/);
  await failing({ email_verified: undefined }, /email_verified: true/);
  await failing({ exp: 1 }, /expired/);
  await failing({ iss: 'https://another.example' }, /issuer/);
  await failing({ aud: 'another' }, /audience/);
  expect((await run('a.b')).at(-1)).toEqual(['Token', false, words(/not a signed JWT/)]);
  expect((await run(await sign(key, claimsFor(auth, provider.issuer, person)), '')).at(-1)?.[1]).toBe(false);
});

test('for a person of the directory account the page says that the provider cannot sign them in', async () => {
  const { person, run } = await seed();
  const directory = await seedPerson(auth);
  const { accountId } = person;
  await auth.app.operator.ensureAccount({ id: accountId, name: 'Child', directoryAccountId: directory.accountId });
  const steps = await run(await sign(key, claimsFor(auth, provider.issuer, directory)));
  const said = `Ellen Brown (${directory.email}) of ${directory.accountId}; for token exchange only, not for sign-in`;
  expect(steps.at(-1)).toEqual(['Person', true, said]);
});

test("the page shows the provider's error", async () => {
  const { run } = await seed();
  provider.answers.discovery = json({ ...provider.metadata, issuer: 'https://another.example' });
  expect(await run('x')).toEqual([['Discovery', false, words(/names another issuer/)]]);
  provider.answers.discovery = json(provider.metadata);
  provider.answers.keySet = json({ keys: 'none' });
  expect(await run('x')).toEqual([documents[0], ['Keys', false, words(/malformed/)]]);
  provider.publish([key]);
});

test('the page is for administrators of the account', async () => {
  const { address, browser } = await seed();
  await openBrowser(auth).get(address).expect(303);
  const specialist = await seedPerson(auth, { roles: ['specialist'] });
  await (await openSignedIn(auth, specialist)).get(address).expect(403);
  const other = await openSignedIn(auth, await seedPerson(auth));
  await other.get(address).expect(404);
  const form_token = formTokenIn(await other.get('/oauth/profile'));
  await other.post(address).type('form').send({ form_token, audience, token: '' }).expect(404);
  await browser.post(address).type('form').send({ audience, token: '' }).expect(403);
});
