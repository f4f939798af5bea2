import { offeredActions } from '@itsm/shared/contracts/scope-choices';
import { bodyIn } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { baseUrl, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const load = async () => {
  const response = await auth.http.get('/.well-known/oauth-authorization-server').expect(200);
  return bodyIn(response) as Record<string, string | string[]>;
};

test("RFC 8414 §2: the metadata describes the server's features", async () => {
  const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  const algorithms = ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'];
  expect(await load()).toEqual({
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    jwks_uri: `${baseUrl}/oauth/jwks`,
    scopes_supported: offeredActions,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    introspection_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_signing_alg_values_supported: algorithms,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: algorithms,
    authorization_response_iss_parameter_supported: true,
  });
});

test('every address in it answers', async () => {
  const addresses = Object.entries(await load()).filter(([name]) => /_(endpoint|uri)$/.test(name));
  expect(addresses).toHaveLength(5);
  for (const [, address] of addresses) {
    const { pathname } = new URL(String(address));
    expect((await auth.http.get(pathname)).status).not.toBe(404);
  }
});

test('every scope in it may be asked for', async () => {
  const { scopes_supported: scopes } = await load();
  expect(scopes).toContain('request:Read');
  for (const scope of scopes as string[]) {
    const { body } = await auth.http
      .post('/oauth/token')
      .type('form')
      .send({ grant_type: 'client_credentials', scope });
    expect([scope, body]).toMatchObject([
      scope,
      { error: 'invalid_request', error_description: 'client_id is missing' },
    ]);
  }
});

test('every grant type in it is known to the token endpoint, and no other', async () => {
  const { grant_types_supported: types } = await load();
  for (const grant_type of [...(types as string[]), 'password']) {
    const { body } = await auth.http.post('/oauth/token').type('form').send({ grant_type }).expect(400);
    const expected = grant_type === 'password' ? 'unsupported_grant_type' : 'invalid_request';
    expect(body).toMatchObject({ error: expected });
  }
});

test('only GET and HEAD are answered', async () => {
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/jwks']) {
    const response = await auth.http.post(path).expect(405);
    expect(response.headers).toHaveProperty('allow', 'GET, HEAD');
  }
});
