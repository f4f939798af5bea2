import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

/** Longer than the calls take on any machine. */
const deadlineMilliseconds = 60_000;

let graph: Server;
let gateway: StartedGateway;
const sockets: Socket[] = [];
beforeEach(async () => {
  // Refuses the file when it has seen its first bytes, and reads the rest of it.
  graph = createServer((req, res) => {
    if (req.url === '/graphql') return void res.writeHead(404).end();
    req.once('data', () => res.writeHead(413, { 'content-type': 'application/json' }).end('{"message":"Too long"}'));
  });
  graph.listen(0, '127.0.0.1');
  await once(graph, 'listening');
  const env = { GRAPH_URL: `http://127.0.0.1:${(graph.address() as AddressInfo).port}` };
  gateway = await startGateway({ env, deadlineMilliseconds });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.close();
  graph.closeAllConnections();
  graph.close();
});

function open(headers: string) {
  const token = gateway.auth.issue({ accounts: { wdc: ['specialist'] } });
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += String(chunk)));
  socket.write(
    `POST /v1/import HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nx-service-account: wdc\r\n${headers}\r\n`,
  );
  return { socket, answer: () => answer };
}

test('an import that is refused while it is sent ends its connection, also when the rest comes at once', async () => {
  const { socket, answer } = open('content-length: 20\r\n');
  socket.write('0123456789');
  await waitUntil('the answer', () => answer().includes('Too long'));
  socket.write('0123456789');
  await once(socket, 'end');
  expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
});

test('a service that does not say that it wants an import gets it all the same', async () => {
  graph.on('checkContinue', (req, res) => {
    let length = 0;
    req.on('data', (chunk: Buffer) => (length += chunk.length)).on('end', () => res.end(`{"length":${length}}`));
  });
  const { socket, answer } = open('content-length: 10\r\n');
  socket.write('0123456789');
  await waitUntil('the answer', () => answer() !== '');
  expect(answer()).toMatch(/^HTTP\/1\.1 200 [^]*\{"length":10\}$/);
});
