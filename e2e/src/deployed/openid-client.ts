import type { DemoAccount } from '@itsm/embedded/demo/demo-file';
import * as client from 'openid-client';
import { createBrowser } from '../tour/browser';
import { text } from '../tour/expect';
import type { Site } from './site';

/** Uses openid-client: discovers the server at BASE_URL, or gets the URLs of the host `oauth.`. */
export async function authorizeWithOpenidClient(
  { baseUrl, authUrl }: Site,
  { application, administrator }: DemoAccount,
  metadata: 'discovery' | 'hosts',
): Promise<string> {
  const { client_id: id, client_secret: secret, redirect_uris: uris } = application;
  const authentication = client.ClientSecretBasic(secret);
  const config =
    metadata === 'discovery'
      ? await client.discovery(new URL(baseUrl), id, undefined, authentication, { algorithm: 'oauth2' })
      : new client.Configuration(
          { issuer: baseUrl, authorization_endpoint: `${authUrl}/authorize`, token_endpoint: `${authUrl}/token` },
          id,
          undefined,
          authentication,
        );
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: text(uris[0], 'redirect_uri'),
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const browser = createBrowser(address.origin);
  const [signIn] = (await browser.visit(address.href)).forms;
  if (!signIn) throw new Error('the platform shows no form to sign in');
  const page = await browser.submit(signIn, { email: administrator.email, password: administrator.password });
  const consent = page.forms.find(({ action }) => action.includes('/consents/'));
  const { leavesTo } = consent ? await browser.submit(consent, { decision: 'allow' }) : page;
  const checks = { pkceCodeVerifier, expectedState };
  const first = await client.authorizationCodeGrant(config, new URL(text(leavesTo, 'the redirect')), checks);
  const second = await client.refreshTokenGrant(config, text(first.refresh_token, 'refresh_token'));
  return second.access_token;
}
