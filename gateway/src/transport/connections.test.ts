import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import { mostConnections } from './connections';

const head = 'GET /oauth/token HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('connections of one address', () => {
  const sockets: Socket[] = [];
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  async function open(port: number, localAddress: string): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }
  /** Empty when the connection closes before an answer. */
  const statusOf = async (socket: Socket): Promise<string> => {
    const answer = Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
    socket.write(head);
    return String((await answer.catch(() => ['']))[0]).slice(9, 12);
  };
  /** One after the other: the server is in this process, and more than its backlog (511) must not wait to be accepted. */
  async function fill(port: number): Promise<Socket[]> {
    const opened: Socket[] = [];
    while (opened.length < mostConnections.address) opened.push(await open(port, '127.0.0.2'));
    return opened;
  }

  test('are limited; other addresses are not affected, and a closed connection makes room', async () => {
    const gateway = await startGateway();
    const port = Number(new URL(gateway.url).port);
    const [first] = await fill(port);
    const answer = once(await open(port, '127.0.0.2'), 'data');
    expect(String((await answer)[0])).toMatch(/^HTTP\/1.1 503 [^]*Retry-After: 1/);
    expect(await statusOf(await open(port, '127.0.0.3'))).toBe('200');
    first?.destroy();
    await waitUntil('room again', async () => (await statusOf(await open(port, '127.0.0.2'))) === '200');
    await gateway.close();
  });

  test('of all addresses together are limited too, including those of trusted proxies', async () => {
    const most = { address: 8, overall: 20 };
    const env = { TRUSTED_PROXIES: '127.0.0.9' };
    const gateway = await startGateway({ env, bounds: { connections: most } });
    const port = Number(new URL(gateway.url).port);
    const held = [];
    for (let n = 0; n < most.overall; n += 1) held.push(await open(port, `127.0.0.${2 + (n % 8)}`));
    expect(await statusOf(await open(port, '127.0.0.33'))).toBe('');
    expect(await statusOf(await open(port, '127.0.0.9'))).toBe('');
    for (const one of held.slice(0, 3)) expect(await statusOf(one)).toBe('200');
    held[0]?.destroy();
    await waitUntil('room again', async () => (await statusOf(await open(port, '127.0.0.33'))) === '200');
    await gateway.close();
  });

  test('of a trusted proxy are not limited', async () => {
    const gateway = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.2' } });
    const port = Number(new URL(gateway.url).port);
    await fill(port);
    expect(await statusOf(await open(port, '127.0.0.2'))).toBe('200');
    await gateway.close();
  });
});
