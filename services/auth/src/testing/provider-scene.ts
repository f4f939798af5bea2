import { exportJWK, generateKeyPair } from 'jose';
import { locationOf } from './browser';
import type { Browser } from './browser';
import { json, sign } from './local-provider';
import type { LocalKey, LocalProvider } from './local-provider';
import { startOidcProvider } from './oidc-provider';
import type { Auth } from './start-auth';
import { redirectUriOf } from '../clients/sso-configuration';
import { baseUrl, seedPerson, startStore } from './start-auth';

export type Provider = Awaited<ReturnType<typeof startOidcProvider>>;

export const clientId = 'client-RS256';
export const clientSecret = 'a secret of the tests';

/** The answer of a provider that the test simulates: the ID token and other members. */
export interface Said {
  readonly claims?: object;
  /** Replaces the answer of the token endpoint. */
  readonly answer?: object;
  readonly iss?: string;
}

/** Simulates the provider's answer to `request`: returns the callback URL, and prepares the token endpoint. */
export async function answerOf(
  { now }: Pick<Auth, 'now'>,
  { issuer, answers, metadata }: LocalProvider,
  key: LocalKey,
  request: string,
  { claims = {}, answer, iss }: Said,
): Promise<string> {
  const query = new URL(request).searchParams;
  const at = Math.floor(now().getTime() / 1000);
  const nonce = query.get('nonce') ?? '';
  const usual = { iss: issuer, aud: clientId, sub: 'x', email_verified: true, nonce, iat: at, exp: at + 60 };
  const said = answer ?? { id_token: await sign(key, { ...usual, ...claims }) };
  // One handler serves discovery and the token endpoint.
  answers.discovery = json({ ...metadata, ...endpointsOf(issuer), ...said });
  const back = new URLSearchParams({ code: 'c', state: query.get('state') ?? '', ...(iss !== undefined && { iss }) });
  return `${query.get('redirect_uri') ?? ''}?${back.toString()}`;
}

export const endpointsOf = (issuer: string) => ({
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
});

/** Sets up the service and an identity provider in its own process, for a test file. */
export function withProvider(take: (started: { readonly auth: Auth; readonly provider: Provider }) => void) {
  let store: Awaited<ReturnType<typeof startStore>>;
  let auth: Auth;
  let provider: Provider;
  beforeAll(async () => {
    store = await startStore();
    auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'r', use: 'sig' };
    provider = await startOidcProvider([key], { at: auth.now() });
    take({ auth, provider });
  });
  afterAll(async () => {
    await provider.stop();
    await store.close();
  });
  afterEach(() => {
    auth.clock.offset = 0;
  });

  /** Creates a person in an account with this provider. */
  async function seed(more: object = {}) {
    const person = await seedPerson(auth);
    const configuration = await auth.app.services.ssoConfigurations.create(person.accountId, {
      name: 'Our <provider>',
      issuer: provider.issuer,
      identifier: 'primary_email',
      clientId,
      clientSecret,
      ...more,
    });
    await provider.register(redirectUriOf(baseUrl, configuration.id));
    return { person, configuration, accountId: person.accountId };
  }

  /** The URL of the provider's page, from the link on the sign-in page. */
  async function start(browser: Browser, accountId: string, next = '') {
    const page = await browser.get('/oauth/sign-in').query({ account: accountId, next }).expect(200);
    const [, link = ''] = /href="([^"]+\/oauth\/sign-in\/provider\/[^"]+)"/.exec(page.text) ?? [];
    return locationOf(await browser.get(link.replaceAll('&amp;', '&')).expect(303));
  }

  const written = (accountId: string) =>
    auth.connection
      .collection('security_log')
      .find({ event: /^sign_in/, accountIds: accountId })
      .sort({ _id: 1 })
      .toArray();
  return { seed, start, written };
}
