import { rawCall } from '../testing/raw-call';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test('headers that Connection names are removed, except those that frame the body', async () => {
  const token = gateway.auth.issue();
  const answer = await rawCall(
    gateway.url,
    `POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-Service-Account: wdc\r\nX-Hop: 1\r\n` +
      'Connection: close, x-hop, content-length, authorization, x-service-account\r\nContent-Length: 2\r\n\r\n{}',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).not.toContain('x-hop');
  expect(answer).toContain('"bytes":2');
  expect(answer).toContain('"x-service-account":"wdc"');
});

test('no second request can be smuggled in the body of a first', async () => {
  const token = gateway.auth.issue();
  const hidden = 'GET /internal HTTP/1.1\r\nHost: x\r\n\r\n';
  const answer = await rawCall(
    gateway.url,
    `DELETE /v1/webhooks/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-Service-Account: wdc\r\n` +
      `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test('no second request can be smuggled by a Connection header that names the length of the body', async () => {
  const token = gateway.auth.issue();
  const hidden = 'GET /internal HTTP/1.1\r\nHost: x\r\n\r\n';
  const answer = await rawCall(
    gateway.url,
    `DELETE /v1/webhooks/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-Service-Account: wdc\r\n` +
      `Connection: close, content-length\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain(`"bytes":${hidden.length}`);
});
