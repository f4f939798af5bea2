import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';
import { createPeers } from './peers';
import type { IncomingMessage } from 'node:http';

/** A fake request with the fields that show the peer. */
function from(address: string, headers: Record<string, string> = {}): IncomingMessage {
  const request: unknown = { socket: { remoteAddress: address }, headers };
  return request as IncomingMessage;
}

const peers = createPeers(['10.0.0.0/8', 'fd00::/8']);

test.each([
  ['127.0.0.1', {}, true],
  ['::ffff:127.0.0.1', {}, true],
  ['::1', {}, true],
  ['192.0.2.1', {}, false],
  ['192.0.2.1', { 'x-forwarded-proto': 'https' }, false],
  ['10.1.2.3', {}, false],
  ['10.1.2.3', { 'x-forwarded-proto': 'https' }, true],
  ['::ffff:10.1.2.3', { 'x-forwarded-proto': 'https, http' }, true],
  ['10.1.2.3', { 'x-forwarded-proto': 'http' }, false],
  ['fd00::1', { 'x-forwarded-proto': 'https' }, true],
])('%s with %j is secure: %s', (address, headers, secure) => {
  expect(peers.isSecure(from(address, headers))).toBe(secure);
});

test.each([
  ['192.0.2.1', undefined, '192.0.2.1'],
  ['::ffff:192.0.2.1', undefined, '192.0.2.1'],
  ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
  ['10.1.2.3', undefined, '10.1.2.3'],
  ['10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '6.6.6.6, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
  ['10.1.2.3', '10.9.9.9, 10.8.8.8', '10.9.9.9'],
  ['10.1.2.3', '6.6.6.6, unknown, 10.9.9.9', '10.9.9.9'],
  ['10.1.2.3', '6.6.6.6, <script>', '10.1.2.3'],
  ['10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
  ['fd00::1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['fd00::1', '2001:db8::7', '2001:db8::7'],
  ['10.1.2.3', '::ffff:203.0.113.9', '203.0.113.9'],
])('from %s with X-Forwarded-For %s the client is %s, and services get no other address', (address, given, client) => {
  const req = from(address, { ...(given !== undefined && { 'x-forwarded-for': given }) });
  expect(peers.forwarded(req)['x-forwarded-for']).toBe(client);
});

test('host and protocol are those that a trusted proxy reports', () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example', host: 'inside' };
  expect(peers.forwarded(from('10.1.2.3', headers))).toMatchObject({
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'api.example',
  });
  expect(peers.forwarded(from('192.0.2.1', headers))).toMatchObject({
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'inside',
  });
});

describe('behind a trusted proxy', () => {
  let gateway: StartedGateway;
  beforeAll(async () => {
    gateway = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterAll(() => gateway.close());

  test('GraphQL over plain http is refused, whatever the token', async () => {
    const query = { query: '{ rateLimit { cost } }' };
    const plain = await gateway.post('junk', query, { 'x-forwarded-proto': 'http' });
    expect(plain.status).toBe(400);
    expect(await plain.json()).toMatchObject({ message: 'HTTPS is required' });
    const secure = await gateway.post(gateway.auth.issue(), query, { 'x-forwarded-proto': 'https' });
    expect(secure.status).toBe(200);
  });

  test('a known caller gets the limits when plain http is refused, even when they are exhausted', async () => {
    const token = gateway.auth.issue();
    const authorization = `Bearer ${token}`;
    for (let call = 0; call < 22; call += 1) {
      const refused = await gateway.post(token, '{}', { 'x-forwarded-proto': 'http' });
      expect([refused.status, refused.headers.get('x-costlimit-cost')]).toEqual([400, '0']);
      expect(refused.headers.get('x-costlimit-remaining')).toBe('5000');
    }
    const schema = await gateway.get('/graphql', { authorization, 'x-forwarded-proto': 'http' });
    expect([schema.status, schema.headers.get('x-costlimit-limit')]).toEqual([400, '5000']);
  });

  test("a service gets the client's address and the proxy's request id", async () => {
    const given = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9', 'x-request-id': 'proxy-request-1' };
    const response = await gateway.get('/oauth/profile', given);
    const { headers } = (await response.json()) as { headers: Record<string, string> };
    expect(headers).toMatchObject({ 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'proxy-request-1' });
    expect(response.headers.get('x-request-id')).toBe('proxy-request-1');
  });
});

test('where plain http is allowed, it is so from any address', () => {
  const req = { socket: { remoteAddress: '172.18.0.1' }, headers: {} } as unknown as Parameters<
    typeof peers.isSecure
  >[0];
  expect(createPeers([]).isSecure(req)).toBe(false);
  expect(createPeers([], true).isSecure(req)).toBe(true);
});
