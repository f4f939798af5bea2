import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends `text` over a connection to a gateway as it is; resolves with everything received until the gateway closes it. */
export async function rawCall(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
