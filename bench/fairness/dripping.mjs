import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A request on a separate socket whose body never ends. */
function drip(baseUrl, head, signal, count) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const next = setInterval(() => socket.write('x'), 4_000);
  const end = () => (clearInterval(next), socket.destroy());
  signal.addEventListener('abort', end, { once: true });
  socket.on('error', () => undefined).on('close', () => clearInterval(next));
  socket.on('data', (chunk) => count(String(chunk).slice(9, 12)));
  socket.write(`${head}\r\n\r\nx`);
}

const line = (path, address, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nX-Forwarded-Proto: https\r\nContent-Length: 60000\r\n${more}`;

/** Opens `count` sockets, and reopens each a moment after it was closed. */
const drips =
  (sockets, head) =>
  ({ baseUrl, greedy }) =>
  async (signal, count) => {
    while (!signal.aborted) {
      for (let n = 0; n < sockets && !signal.aborted; n += 1) drip(baseUrl, head(greedy, n), signal, count);
      await pause(11_000, undefined, { signal }).catch(() => undefined);
    }
  };

export const dripping = {
  '300 sockets that drip /oauth/token': drips(300, (_greedy, n) =>
    line('/oauth/token', `198.51.100.${n % 250}`, 'Content-Type: application/x-www-form-urlencoded'),
  ),
  '288 imports of one token that drip': drips(288, ([{ Authorization }]) =>
    line(
      '/v1/import?type=requests',
      '198.51.100.9',
      `Content-Type: multipart/form-data; boundary=x\r\nAuthorization: ${Authorization}\r\nX-Service-Account: greedy`,
    ),
  ),
};
