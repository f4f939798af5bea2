import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const paths = ['/graphql', '/v1/requests', '/v1/scopes', '/v1/rate_limit'];
const metadataOf = (path: string) =>
  `resource_metadata="http://localhost:4000/.well-known/oauth-protected-resource${path}"`;
const challengeAt = async (path: string, authorization?: string) => {
  const { status, headers } = await gateway.get(path, authorization === undefined ? {} : { authorization });
  return [status, headers.get('www-authenticate')];
};

test.each(paths)('RFC 6750 §3.1: without a token %s names no error, and the metadata', async (path) => {
  for (const authorization of [undefined, 'Basic YTpi'])
    expect(await challengeAt(path, authorization)).toEqual([401, `Bearer ${metadataOf(path)}`]);
});

// GraphQL is not asked by GET.
test.each(paths.slice(1))('RFC 9700 §4.3.2: a token in the address of %s is none', async (path) => {
  const token = gateway.auth.issue();
  expect(await challengeAt(`${path}?access_token=${token}`)).toEqual([401, `Bearer ${metadataOf(path)}`]);
});

test.each(paths)('RFC 6750 §3.1: a bad token at %s is an invalid_token, in the scheme of the request', async (path) => {
  for (const token of [createOpaqueToken('at'), createOpaqueToken('pat'), 'junk', 'a.b.c']) {
    const because = 'error="invalid_token", error_description="The access token is unknown, expired or revoked"';
    expect(await challengeAt(path, `Bearer ${token}`)).toEqual([401, `Bearer ${because}, ${metadataOf(path)}`]);
  }
  const [status, challenge] = await challengeAt(path, 'DPoP junk');
  expect([status, challenge]).toEqual([
    401,
    expect.stringMatching(/^DPoP error="invalid_token", .*resource_metadata="/),
  ]);
});

test.each([
  ['/.well-known/oauth-protected-resource', ''],
  ['/.well-known/oauth-protected-resource/graphql', '/graphql'],
  ['/.well-known/oauth-protected-resource/v1/requests', '/v1/requests'],
])('RFC 9728 §3.2: %s describes the resource', async (path, resource) => {
  const response = await gateway.get(path);
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining({
      resource: `http://localhost:4000${resource}`,
      authorization_servers: ['http://localhost:4000'],
      scopes_supported: expect.arrayContaining(['me:Name', 'request:Read']) as unknown,
      bearer_methods_supported: ['header'],
      dpop_bound_access_tokens_required: false,
    }),
  ]);
});

test('there is no metadata of other paths, and the platform is no OpenID provider', async () => {
  for (const path of ['/.well-known/oauth-protected-resource/oauth/token', '/.well-known/openid-configuration'])
    expect((await gateway.get(path)).status).toBe(404);
});
