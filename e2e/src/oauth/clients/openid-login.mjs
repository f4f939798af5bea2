import * as client from 'openid-client';

/** The query of the authorization URL; `session` keeps the checks for the callback. */
export async function loginQuery(session, redirectUri) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  session.checks = { pkceCodeVerifier: verifier, expectedState: state };
  const challenge = await client.calculatePKCECodeChallenge(verifier);
  return { redirect_uri: redirectUri, state, code_challenge: challenge, code_challenge_method: 'S256' };
}
