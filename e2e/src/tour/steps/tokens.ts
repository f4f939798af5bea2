import { check, members, text } from '../expect';
import type { Tour } from '../tour';

export async function requestTokens(
  tour: Tour,
  grant: Record<string, string>,
  { client_id, client_secret } = tour.demo.accounts.wdc.application,
): Promise<void> {
  const response = await fetch(`${tour.demo.auth_url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, ...grant }),
  });
  const body = members(await response.json(), 'the token response');
  check(response.status === 200, `the token request answered ${response.status} ${JSON.stringify(body['error'])}`);
  tour.token = text(body['access_token'], 'access_token');
  tour.refreshToken = text(body['refresh_token'], 'refresh_token');
}

/** The grant for the latest code. */
export const codeGrant = ({ code, redirectUri, codeVerifier }: Tour): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirectUri,
  code_verifier: codeVerifier,
});

export async function redeem(tour: Tour): Promise<string> {
  await requestTokens(tour, codeGrant(tour));
  return 'access and refresh token';
}

export async function refresh(tour: Tour): Promise<string> {
  const before = tour.refreshToken;
  await requestTokens(tour, { grant_type: 'refresh_token', refresh_token: before });
  check(tour.refreshToken !== before, 'the refresh token was not rotated');
  return 'a new pair';
}
