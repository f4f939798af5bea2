import { rawCall } from '../testing/raw-call';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test('a target in absolute form is served, and its authority goes before Host', async () => {
  const get = (target: string) =>
    rawCall(
      gateway.url,
      `GET ${target} HTTP/1.1\r\nHost: wdc.localhost\r\nAuthorization: Bearer ${gateway.auth.issue()}\r\nX-Service-Account: wdc\r\nConnection: close\r\n\r\n`,
    );
  expect(await get('http://localhost:4000/v1/webhooks?x=1')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await get('HTTP://localhost/v1')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await get('http://localhost')).toMatch(/^HTTP\/1\.1 (200|302|404) /);
  for (const ambiguous of [
    'http://localhost//v1',
    'http://localhost/v1/../internal',
    'http://a@localhost/v1',
    'ftp://x/v1',
  ])
    expect(await get(ambiguous)).toMatch(/^HTTP\/1\.1 404 /);
});
