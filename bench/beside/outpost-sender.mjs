// Publishes events to Outpost by its queue or its API, in a separate process.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { sendAll } from '../delivery/send-all.mjs';
import { answer } from '../measure.mjs';

const amqplib = createRequire(new URL('../../shared/package.json', import.meta.url))('amqplib');
// The receiver gets 1,024 bytes, as from ours.
const filler = 'x'.repeat(925);
const publishers = {};

async function open({ amqpUrl, queue, port, apiKey, tenant }) {
  const channel = await (await amqplib.connect(amqpUrl)).createConfirmChannel();
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  const eventOf = (id) => JSON.stringify(outpostEvent(id, tenant));
  publishers.queue = (id) =>
    new Promise((resolve, reject) => {
      const options = { persistent: true, contentType: 'application/json' };
      channel.sendToQueue(queue, Buffer.from(eventOf(id)), options, (error) => (error ? reject(error) : resolve()));
    });
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` };
  publishers.api = (id) =>
    new Promise((resolve, reject) => {
      const to = { agent, host: '127.0.0.1', port, path: '/api/v1/publish', method: 'POST', headers };
      const outgoing = request(to, (response) => {
        response.resume();
        const wrong = response.statusCode >= 300 && new Error(`publish answered ${response.statusCode}`);
        response.on('end', () => (wrong ? reject(wrong) : resolve()));
      });
      outgoing.on('error', reject);
      outgoing.end(eventOf(id));
    });
}

const outpostEvent = (id, tenant) => ({
  id,
  tenant_id: tenant,
  topic: 'request.create',
  time: new Date().toISOString(),
  data: { webhook_id: 1, event: 'request.create', object_id: 1, payload: { status: 'assigned', source: filler } },
});

const send = ({ by, ...about }) =>
  sendAll(about, (index) => {
    const id = randomUUID();
    return { id, index, publish: () => publishers[by](id) };
  });

answer({ open, send });
