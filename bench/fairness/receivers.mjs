import { createServer } from 'node:http';
import { until } from '../platform.mjs';
import { asJson, workers } from './attack.mjs';

/** Each address is a receiver of its own for the platform, which limits the calls to one. */
const addresses = Array.from({ length: 50 }, (_none, n) => `127.0.1.${n + 1}`);
const ofEach = 4;

/** Receivers that answer the verification, and never anything else. */
async function startHanging(note) {
  const callbacks = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req.setEncoding('utf8')) text += chunk;
    const { event, payload } = JSON.parse(text);
    if (event !== 'webhook.verify') return note('calls that hang');
    res.writeHead(204).end();
    callbacks.push(payload.callback);
  });
  await new Promise((resolve) => server.listen(0, '0.0.0.0', resolve));
  const stop = () => (server.closeAllConnections(), server.close());
  return { callbacks, port: server.address().port, stop };
}

/** Each of the webhooks is verified as its receiver would do it. Returns their paths. */
async function register({ baseUrl, greedy, call }, { callbacks, port }) {
  const paths = [];
  for (const address of addresses)
    for (let n = 0; n < ofEach; n += 1) {
      const { status, text, headers } = await call(`${baseUrl}/v1/webhooks`, {
        method: 'POST',
        headers: asJson(greedy[paths.length % greedy.length]),
        body: JSON.stringify({ event: 'request.create', uri: `http://${address}:${port}/${n}` }),
      });
      if (status !== 201) throw new Error(`A webhook was refused: ${status} ${text}`);
      paths.push(new URL(headers.location, baseUrl).pathname);
    }
  await until('the verifications', () => callbacks.length === addresses.length * ofEach);
  for (const callback of callbacks) {
    const { status } = await call(callback, { method: 'POST' });
    if (status !== 200) throw new Error(`A verification answered ${status}`);
  }
  return paths;
}

const creation = JSON.stringify({
  query: 'mutation { requestCreate(input: { subject: "For the receivers" }) { request { id } errors { message } } }',
});

/** Each new request makes a call of every webhook. */
async function hanging(platform) {
  const { baseUrl, greedy, call } = platform;
  let note = () => undefined;
  const receiver = await startHanging((what) => note(what));
  const paths = await register(platform, receiver);
  const create = workers(4, (n, signal) =>
    call(`${baseUrl}/graphql`, {
      method: 'POST',
      headers: asJson(greedy[n % greedy.length]),
      body: creation,
      signal,
    }),
  );
  return async (signal, count) => {
    note = count;
    await create(signal, count);
    receiver.stop();
    // What waits is given up, so that the next row is about itself.
    for (const path of paths) await call(`${baseUrl}${path}`, { method: 'DELETE', headers: greedy[0] });
  };
}

export const receivers = { '200 webhooks whose 50 receivers hang': hanging };
