import { exportJWK, generateKeyPair } from 'jose';
import { locationOf } from './browser';
import type { Browser } from './browser';
import { startOidcProvider } from './oidc-provider';
import type { Auth } from './start-auth';
import { seedPerson, startStore } from './start-auth';

export type Provider = Awaited<ReturnType<typeof startOidcProvider>>;

export const clientId = 'client-RS256';
export const clientSecret = 'a secret of the tests';

export const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, 'http://localhost:4000');
  return pathname + search;
};

/** For a test file: the service, and an identity provider in a process of its own. */
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

  /** A person, in an account with this provider. */
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
    return { person, configuration, accountId: person.accountId };
  }

  /** The address of the provider's page, from the link on the sign-in page. */
  async function start(browser: Browser, accountId: string, next = '') {
    const page = await browser.get('/oauth/sign-in').query({ account: accountId, next }).expect(200);
    const [, link = ''] = /href="([^"]+\/oauth\/sign-in\/provider\/[^"]+)"/.exec(page.text) ?? [];
    return locationOf(await browser.get(pathOf(link.replaceAll('&amp;', '&'))).expect(303));
  }

  const written = (accountId: string) =>
    auth.connection
      .collection('security_log')
      .find({ event: /^sign_in/, accountIds: accountId })
      .sort({ _id: 1 })
      .toArray();
  return { seed, start, written };
}
