import { createLogger } from '@itsm/shared/observing/logs/logger';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

const lines: string[] = [];
let gateway: StartedGateway;
beforeAll(async () => {
  const env = { ALLOW_PLAIN_HTTP: 'true', TRUSTED_PROXIES: '127.0.0.1' };
  gateway = await startGateway({ env, logger: createLogger('gateway', 'info', (line) => lines.push(line)) });
});
afterAll(() => gateway.close());

const answers = async (headers: Record<string, string>): Promise<[string, Response][]> => {
  const token = gateway.auth.issue();
  const as = { authorization: `Bearer ${token}`, 'x-service-account': 'wdc', ...headers };
  return [
    ['GraphQL', await gateway.post(token, { query: '{ me { id } }' }, headers)],
    ['GraphQL, refused', await gateway.post(undefined, { query: '{ me { id } }' }, headers)],
    ['REST', await gateway.get('/v1/webhooks', as)],
    ['REST, refused', await gateway.get('/v1/webhooks', headers)],
    ['OAuth', await gateway.get('/oauth/jwks', headers)],
    ['nothing', await gateway.get('/v1/nothing', headers)],
    ['the rate limit', await gateway.get('/v1/rate_limit', as)],
  ];
};

test('every answer has nosniff, and over https HSTS', async () => {
  for (const proto of ['https', 'http'])
    for (const [what, { headers }] of await answers({ 'x-forwarded-proto': proto })) {
      const said = [headers.get('x-content-type-options'), headers.get('strict-transport-security')];
      const hsts = proto === 'https' ? 'max-age=31536000; includeSubDomains' : null;
      expect([what, proto, ...said]).toEqual([what, proto, 'nosniff', hsts]);
    }
});

test('every answer says what its body is, with the encoding of a text', async () => {
  for (const [what, { headers }] of await answers({}))
    expect([what, headers.get('content-type')]).toEqual([what, 'application/json; charset=utf-8']);
});

test('a secret in a path is never logged, on any route', async () => {
  const secret = 'RudJFveyB4z9qY2yQx0a1B2c3D4e5F6g7H8i9J0kLmN';
  const paths = [
    `/ui_extension_previews/${secret}`,
    `/oauth/anything/${secret}?code=${secret}`,
    `/nowhere/${secret}/x`,
  ];
  for (const path of paths) await gateway.get(path);
  const logged = lines.map((line) => JSON.parse(line) as { path?: string });
  for (const path of paths)
    expect(logged).toContainEqual(expect.objectContaining({ path: path.split('?')[0]?.replace(secret, '[redacted]') }));
  expect(lines.join()).not.toContain(secret);
});

test.each([
  ['no credentials', undefined, '{ me { id } }', ['unauthorized']],
  ['a missing page size', 'known', '{ requests { totalCount } }', ['MISSING_PAGINATION']],
])('the log has the reason why %s was refused', async (_what, caller, query, codes) => {
  const before = lines.length;
  const response = await gateway.post(caller && gateway.auth.issue(), { query });
  const requestId = response.headers.get('x-request-id');
  const written = lines.slice(before).map((line) => JSON.parse(line) as object);
  expect(written).toContainEqual(expect.objectContaining({ message: 'request refused', requestId, codes }));
});
