import { exportJWK, generateKeyPair } from 'jose';
import { formerRedirectUriOf, redirectUriOf } from '../clients/sso-configuration';
import { locationOf, openBrowser } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { json, makeKey, startLocalProvider } from '../testing/local-provider';
import { signInAt, startOidcProvider } from '../testing/oidc-provider';
import { answerOf, clientId, endpointsOf, withProvider } from '../testing/provider-scene';
import type { Auth } from '../testing/start-auth';
import { baseUrl } from '../testing/start-auth';

// RFC 9700 §4.4: a provider that lets people sign in at another one, so that the other one's code reaches it.

let auth: Auth;
const { seed, written } = withProvider((started) => ({ auth } = started));

const shared = formerRedirectUriOf(baseUrl);
const start = async (browser: Browser, accountId: string, id: number) =>
  new URL(locationOf(await browser.get(`/oauth/sign-in/provider/${id}?account=${accountId}`).expect(303)));

/** Tells the service that the configuration is of an earlier release. */
const makeFormer = (id: number) =>
  auth.connection
    .collection<{ _id: number }>('sso_configurations')
    .updateOne({ _id: id }, { $unset: { formerRedirectUri: 1 } });

async function startHonest(iss: 'sent' | 'promised' | 'none') {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'h', use: 'sig' };
  const honest = await startOidcProvider([key], { at: auth.now(), iss });
  await honest.register(shared);
  return honest;
}

/** An account with an honest provider, another account with an evil one, and a person who signs in at the honest one. */
async function stage(iss: 'sent' | 'promised' | 'none') {
  const honest = await startHonest(iss);
  const victim = await seed({ issuer: honest.issuer });
  const ownUri = redirectUriOf(baseUrl, victim.configuration.id);
  await honest.register(ownUri);
  const evil = await startLocalProvider([await makeKey()]);
  evil.answers.discovery = json({ ...evil.metadata, ...endpointsOf(evil.issuer) });
  const attacker = await seed({ issuer: evil.issuer });
  const close = async () => {
    await honest.stop();
    await evil.close();
  };
  return { honest, victim, ownUri, evil, attacker, close };
}

describe.each(['sent', 'promised', 'none'] as const)('where the honest provider has its `iss` %s', (iss) => {
  let staged: Awaited<ReturnType<typeof stage>>;
  beforeAll(async () => {
    staged = await stage(iss);
  });
  afterAll(() => staged.close());

  test.each([
    ['its own redirect URI', () => staged.ownUri, false],
    ['the shared redirect URI', () => shared, false],
    ['the shared redirect URI, both being of an earlier release', () => shared, true],
  ])('a code that another provider has asked for at %s reaches nobody', async (_at, redirectUri, areFormer) => {
    const { honest, victim, evil, attacker } = staged;
    if (areFormer) for (const { configuration } of [victim, attacker]) await makeFormer(configuration.id);
    const [attackersBrowser, victimsBrowser] = [openBrowser(auth), openBrowser(auth)];
    const own = (await start(attackersBrowser, victim.accountId, victim.configuration.id)).searchParams;
    const asked = (await start(victimsBrowser, attacker.accountId, attacker.configuration.id)).searchParams;
    // The evil provider redirects to the honest one.
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: redirectUri(),
      state: asked.get('state') ?? '',
      nonce: own.get('nonce') ?? '',
      code_challenge: own.get('code_challenge') ?? '',
      code_challenge_method: 'S256',
    });
    const calls = evil.calls.discovery;
    const answer = await signInAt(honest.issuer, `/auth?${query.toString()}`, victim.person.email);
    expect(new URL(answer).searchParams.get('code')).toMatch(/./);
    await victimsBrowser.get(answer).expect(400);
    expect(evil.calls.discovery).toBe(calls);
    expect((await written(attacker.accountId)).at(-1)).toMatchObject({
      facts: { because: expect.stringMatching(/identity provider/) as string },
    });
    expect(await written(victim.accountId)).toEqual([]);
  });
});

test.each(['sent', 'none'] as const)(
  'a configuration of an earlier release with `iss` %s signs in at the redirect URI that is safe for it',
  async (iss) => {
    const { honest, victim, ownUri, close } = await stage(iss);
    await makeFormer(victim.configuration.id);
    const browser = openBrowser(auth);
    const request = await start(browser, victim.accountId, victim.configuration.id);
    expect(request.searchParams.get('redirect_uri')).toBe(iss === 'sent' ? shared : ownUri);
    const answer = await signInAt(honest.issuer, request.href, victim.person.email);
    await browser.get(answer).expect(303);
    await browser.get('/oauth/profile').expect(200);
    await close();
  },
);

test('an administrator who has registered the redirect URI stops the use of the former one', async () => {
  const { victim, close, ownUri } = await stage('sent');
  const { accountId, configuration } = victim;
  await makeFormer(configuration.id);
  await auth.app.services.ssoConfigurations.update(accountId, configuration.id, { formerRedirectUri: false });
  const request = await start(openBrowser(auth), accountId, configuration.id);
  expect(request.searchParams.get('redirect_uri')).toBe(ownUri);
  await close();
});

describe('answers that are not of the provider where the sign-in began', () => {
  /** A sign-in that is under way, and what its provider answers. */
  async function begin({ promises = false, former = false }) {
    const key = await makeKey();
    const local = await startLocalProvider([key]);
    const { person, accountId, configuration } = await seed({ issuer: local.issuer });
    if (former) await makeFormer(configuration.id);
    const promised = { authorization_response_iss_parameter_supported: promises };
    Object.assign(local.metadata, promised);
    local.answers.discovery = json({ ...local.metadata, ...endpointsOf(local.issuer) });
    const browser = openBrowser(auth);
    const request = await start(browser, accountId, configuration.id);
    const said = { claims: { email: person.email }, ...(promises && { iss: local.issuer }) };
    const right = new URL(await answerOf(auth, local, key, request.href, said));
    return { browser, right, other: await seed(), local };
  }

  /** The right answer with other parameters; `undefined` removes one. */
  function changed(
    right: URL,
    parameters: Readonly<Record<string, string | undefined>>,
    path = right.pathname,
  ): string {
    const url = new URL(right);
    url.pathname = path;
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    return url.href;
  }

  const evil = 'https://evil.example';
  const failed = { code: undefined, error: 'access_denied' };

  test.each([
    ['code', {}],
    ['error', failed],
  ])('do not end it: an %s at the redirect URI of another configuration, or at the shared one', async (_what, said) => {
    const { browser, right, other, local } = await begin({});
    for (const path of [`/oauth/sign-in/provider/${other.configuration.id}/callback`, new URL(shared).pathname])
      await browser.get(changed(right, said, path)).expect(400);
    await browser.get(changed(right, said, '/oauth/sign-in/provider/x/callback')).expect(404);
    await browser.get(right.href).expect(303);
    await local.close();
  });

  test.each([
    ['code', {}],
    ['error', failed],
  ])(
    'do not end it: an %s of another issuer, or of none where the provider promises to name itself',
    async (_w, said) => {
      const { browser, right, local } = await begin({ promises: true });
      for (const iss of [evil, '', undefined, `${local.issuer}/`])
        await browser.get(changed(right, { ...said, iss })).expect(400);
      await browser.get(`${right.href}&iss=${encodeURIComponent(local.issuer)}`).expect(400);
      await browser.get(right.href).expect(303);
      await local.close();
    },
  );

  test('are refused without the promise too, when they name another issuer', async () => {
    const { browser, right, local } = await begin({});
    await browser.get(changed(right, { iss: evil })).expect(400);
    await browser.get(`${right.href}&iss=${evil}&iss=${evil}`).expect(400);
    await browser.get(right.href).expect(303);
    await local.close();
  });

  test('are refused at the shared redirect URI without `iss`, though the sign-in began there', async () => {
    const { browser, right, local } = await begin({ promises: true, former: true });
    expect(right.href.startsWith(shared)).toBe(true);
    for (const iss of [undefined, evil]) await browser.get(changed(right, { iss })).expect(400);
    await browser.get(right.href).expect(303);
    await local.close();
  });
});
