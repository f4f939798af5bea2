import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createOutbound } from './outbound';
import type { OutboundResult } from './outbound';
import { startTcpReceiver } from '../../testing/receiver-kit';
import type { Receiver } from '../../testing/receiver-kit';

let inside: Receiver;
/** The number of connections that this process has started. */
let begun = 0;
const count = () => void (begun += 1);
beforeAll(async () => {
  subscribe('net.client.socket', count);
  inside = await startTcpReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
});
afterAll(async () => {
  unsubscribe('net.client.socket', count);
  await inside.close();
});

async function send(
  url: string,
  lookup = (): Promise<readonly string[]> => Promise.resolve(['203.0.113.9']),
): Promise<OutboundResult & { readonly connections: number }> {
  const before = begun;
  const outbound = createOutbound({ allowInsecure: false, timeoutMilliseconds: 500, lookup });
  const result = await outbound.send({ method: 'POST', url, headers: {}, body: '{}' });
  return { ...result, connections: begun - before };
}

test('every started connection is counted, whatever its outcome', async () => {
  const before = begun;
  const outbound = createOutbound({ allowInsecure: true, timeoutMilliseconds: 500 });
  await outbound.send({ method: 'POST', url: `http://127.0.0.1:${inside.port}/`, headers: {}, body: '' });
  await outbound.send({ method: 'POST', url: 'http://127.0.0.1:1/', headers: {}, body: '' });
  expect(begun - before).toBe(2);
});

const literals = [
  ['loopback', '127.0.0.1'],
  ['loopback elsewhere in its block', '127.8.9.10'],
  ['short form', '127.1'],
  ['decimal', '2130706433'],
  ['hexadecimal', '0x7f000001'],
  ['hexadecimal by octet', '0x7f.0.0.0x1'],
  ['octal', '0177.0.0.1'],
  ['octal as one number', '017700000001'],
  ['trailing dot', '127.0.0.1.'],
  ['full-width digits', '１２７.０.０.１'],
  ['percent-encoded', '%31%32%37.0.0.1'],
  ['circled digits', '①②⑦.⓪.⓪.①'],
  ['this host', '0.0.0.0'],
  ['zero', '0'],
  ['private 10/8', '10.0.0.1'],
  ['private 172.16/12', '172.31.255.254'],
  ['private 192.168/16', '192.168.1.1'],
  ['link-local metadata', '169.254.169.254'],
  ['Azure metadata', '168.63.129.16'],
  ['Alibaba metadata in CGNAT', '100.100.100.200'],
  ['CGNAT', '100.64.0.1'],
  ['Oracle metadata in 192.0.0/24', '192.0.0.192'],
  ['benchmarking', '198.18.0.1'],
  ['documentation', '203.0.113.7'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 loopback', '[::1]'],
  ['IPv6 unspecified', '[::]'],
  ['mapped', '[::ffff:127.0.0.1]'],
  ['mapped in hexadecimal', '[::ffff:a9fe:a9fe]'],
  ['compatible', '[::127.0.0.1]'],
  ['translated (RFC 6145)', '[::ffff:0:127.0.0.1]'],
  ['NAT64', '[64:ff9b::127.0.0.1]'],
  ['local NAT64', '[64:ff9b:1::a00:1]'],
  ['6to4', '[2002:7f00:1::]'],
  ['Teredo', '[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
  ['ISATAP', '[2a00:1450::5efe:a00:1]'],
  ['unique local', '[fd00:ec2::254]'],
  ['link-local IPv6', '[fe80::1]'],
  ['site-local', '[fec0::1]'],
  ['multicast IPv6', '[ff02::1]'],
  ['discard', '[100::1]'],
  ['unassigned, outside 2000::/3', '[4000::1]'],
  ['documentation IPv6', '[2001:db8::1]'],
  ['a public name as user', 'receiver.example@127.0.0.1'],
  ['a public name with port as user', 'receiver.example:443@169.254.169.254'],
  ['a public name behind a backslash', '127.0.0.1\\@receiver.example'],
  ['a public name in the fragment', '127.0.0.1#@receiver.example'],
  ['a public name in the query', '127.0.0.1?@receiver.example'],
  ['a line break in the host', '127.0.\n0.1'],
] as const;

test.each(literals)('a literal address is refused before connecting: %s', async (_form, host) => {
  expect(await send(`https://${host}/`)).toMatchObject({ kind: 'refused', because: 'address', connections: 0 });
});

const answers = [
  ['loopback', ['127.0.0.1']],
  ['mapped loopback', ['::ffff:127.0.0.1']],
  ['link-local with a zone', ['fe80::1%eth0']],
  ['metadata', ['169.254.169.254']],
  ['public first, private second', ['93.184.216.34', '10.0.0.5']],
  ['private first, public second', ['192.168.0.1', '93.184.216.34']],
  ['public IPv4, private IPv6', ['93.184.216.34', 'fd12::1']],
  ['something that is no address', ['localhost']],
] as const;

test.each(answers)('a name is refused when one of its addresses is not public: %s', async (_form, addresses) => {
  expect(await send('https://receiver.example/', () => Promise.resolve(addresses))).toMatchObject({
    kind: 'refused',
    because: 'address',
    connections: 0,
  });
});

test.each([
  ['http', 'http://receiver.example/', 'scheme'],
  ['another scheme', 'ftp://receiver.example/', 'scheme'],
  ['a file', 'file:///etc/passwd', 'scheme'],
  ['a port of something else', 'https://receiver.example:6379/', 'port'],
  ['port zero', 'https://receiver.example:0/', 'port'],
  ['no URI', 'receiver.example', 'uri'],
  ['a zone id', 'https://[fe80::1%25eth0]/', 'uri'],
] as const)('is refused: %s', async (_form, url, because) => {
  expect(await send(url)).toMatchObject({ kind: 'refused', because, connections: 0 });
});

test('names of this machine are refused without a look-up', async () => {
  const outbound = createOutbound({ allowInsecure: false });
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost']) {
    const request = { method: 'POST', url: `https://${host}/`, headers: {}, body: '' } as const;
    expect(await outbound.send(request)).toMatchObject({ kind: 'refused', because: 'address' });
  }
});

describe('with allowInsecure', () => {
  const local = (url: string, addresses: readonly string[]) =>
    createOutbound({ allowInsecure: true, timeoutMilliseconds: 500, lookup: () => Promise.resolve(addresses) }).send({
      method: 'POST',
      url,
      headers: {},
      body: '{}',
    });

  test('loopback is called on any port, by literal and by name', async () => {
    for (const host of ['127.0.0.1', 'receiver.example', '[::ffff:127.0.0.1]']) {
      expect(await local(`http://${host}:${inside.port}/`, ['127.0.0.1'])).toMatchObject({
        kind: 'answered',
        status: 200,
      });
    }
  });

  test.each(['10.0.0.1', '169.254.169.254', '192.168.1.1', '[fd00::1]', '[64:ff9b::127.0.0.1]', '0.0.0.0'])(
    'private networks stay refused: %s',
    async (host) => {
      expect(await local(`http://${host}/`, [])).toMatchObject({ kind: 'refused', because: 'address' });
    },
  );

  test('a name is resolved once, and the checked address is connected to (no DNS rebinding)', async () => {
    const before = inside.connections();
    let asked = 0;
    const rebinding = () => Promise.resolve((asked += 1) === 1 ? ['127.0.0.2'] : ['127.0.0.1']);
    const outbound = createOutbound({ allowInsecure: true, timeoutMilliseconds: 500, lookup: rebinding });
    const request = { method: 'POST', url: `http://rebinding.example:${inside.port}/`, headers: {}, body: '' } as const;
    expect(await outbound.send(request)).toMatchObject({ kind: 'failed', because: 'connect' });
    expect(asked).toBe(1);
    expect(inside.connections()).toBe(before);
  });
});
