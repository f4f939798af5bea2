import { createServer } from 'node:http';

/** Receivers on loopback that answer 200 and count, by delivery, what they get. */
export async function startReceivers(count) {
  const receivers = await Promise.all(Array.from({ length: count }, startReceiver));
  return { receivers, close: () => receivers.forEach(({ server }) => server.close()) };
}

async function startReceiver() {
  const receiver = { deliveries: new Map(), verification: undefined };
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk) => (text += chunk));
    req.on('end', () => {
      res.end();
      note(receiver, req.headers['x-service-delivery'], JSON.parse(text));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(receiver, { server, uri: `http://127.0.0.1:${server.address().port}/hook` });
}

function note(receiver, id, { event, object_nodeID: object, payload }) {
  if (event === 'webhook.verify') receiver.verification = payload.callback;
  else {
    const { calls, since } = receiver.deliveries.get(id) ?? { calls: 0, since: Date.now() };
    receiver.deliveries.set(id, { object, calls: calls + 1, since });
  }
}
