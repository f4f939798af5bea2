import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test.each([
  ['/v1/requests?status=%FF', 20],
  ['/v1/requests/a%c3', 14],
  ['/v1/webhooks?name=%C3%28', 18],
  ['/oauth/sign-in?next=%FF', 20],
  ['/accounts/wdc/webhooks/1/page?token=M%fcller', 37],
  ['/docs/v1/%FF', 9],
  ['/graphql?%FF', 9],
  ['/%ED%A0%80', 1],
])('%s is not UTF-8', async (path, place) => {
  const response = await gateway.get(path, {
    authorization: `Bearer ${gateway.auth.issue()}`,
    'x-service-account': 'wdc',
  });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { message: `The address is not UTF-8: byte ${place}` },
  ]);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a browser gets the sentence on a page', async () => {
  const response = await gateway.get('/oauth/sign-in?next=%FF', { accept: 'text/html' });
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  expect(await response.text()).toContain('The address is not UTF-8: byte 20');
});

test.each(['/v1/requests/1?name=M%C3%BCller%20100%&x=%zz', '/v1/requests/1?name=%F0%9F%96%A8'])(
  '%s is UTF-8, and passed on as it is',
  async (path) => {
    const token = gateway.auth.issue();
    const response = await gateway.get(path, { authorization: `Bearer ${token}`, 'x-service-account': 'wdc' });
    expect(response.status).toBe(200);
    expect(((await response.json()) as { url: string }).url).toBe(path);
  },
);
