// Replaces the webhooks service in a separate process: requests deliveries over RabbitMQ and consumes the results. Or
// replaces graph: publishes events for a webhooks service.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { answer } from '../measure.mjs';
import { key } from './key.mjs';
import { sendAll } from './send-all.mjs';

const load = createRequire(import.meta.url);
const shared = (path) => load(`../../shared/dist/${path}.js`);
const { connectAmqpBroker } = shared('messages/broker/amqp-broker');
const { on } = shared('messages/broker/broker');
const { attemptFinished, attemptsFinished, deliveryRequested } = shared('contracts/deliveries');
const { recordChanged } = shared('contracts/records');
const { queues } = shared('contracts/topology');
const { policySaved, signingKeyContext } = shared('contracts/webhook-policies');
const { createLogger } = shared('observing/logs/logger');
const { derivedUuid } = shared('base/ids/derived-uuid');
const { createSealer } = shared('base/secrets/sealer');

const sealer = createSealer([key]);
const body = JSON.stringify({ webhook_id: 7, event: 'request.create', text: 'x'.repeat(960) });
const policyId = 1;
let broker;
let results = 0;

async function start({ amqpUrl }) {
  broker = await connectAmqpBroker({ url: amqpUrl, service: 'bench', logger: createLogger('bench', 'silent') });
  await broker.subscribe(queues.attemptResults, [on(attemptFinished, async () => void (results += 1))], {
    prefetch: 500,
  });
  await broker.subscribe(queues.attemptBatches, [
    on(attemptsFinished, async ({ attempts }) => void (results += attempts.length)),
  ]);
  await broker.publish(policySaved, policy(), randomUUID());
}

function policy() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = 'bench';
  const sealed = sealer.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }), signingKeyContext(kid));
  return {
    id: policyId,
    accountId: 'bench',
    state: 'enabled',
    algorithm: 'es256',
    audience: null,
    version: 1,
    expiresInMinutes: 10,
    issuers: { account: 'https://a.example', discovery: 'https://d.example' },
    keys: [{ kid, signsFrom: new Date(0).toISOString(), sealed }],
  };
}

function request(uri, signed) {
  const deliveryId = randomUUID();
  const text = { uri, body, link: null, ...(signed && { signing: { policyId, discovery: false } }) };
  return {
    deliveryId,
    eventId: randomUUID(),
    accountId: 'bench',
    webhookId: 7,
    event: 'request.create',
    test: false,
    at: new Date().toISOString(),
    sealed: sealer.seal(JSON.stringify(text), deliveryId),
  };
}

const publishRequest = (message) => broker.publish(deliveryRequested, message, message.deliveryId);

/** Requests `count` deliveries, round-robin over `uris`, at `perSecond` or as fast as the broker accepts them. */
const send = ({ uris, signed = false, ...about }) =>
  sendAll(about, (index) => {
    const message = request(uris[index % uris.length], signed);
    return { id: message.deliveryId, index: index % uris.length, publish: () => publishRequest(message) };
  });

const open = async ({ amqpUrl }) => {
  broker = await connectAmqpBroker({ url: amqpUrl, service: 'bench', logger: createLogger('bench', 'silent') });
  await broker.publish(policySaved, policy(), randomUUID());
};

/** Publishes `count` events like graph; one webhook is called for each: the one that is registered for `event`. */
const sendEvents = ({ webhookId, event, ...about }) =>
  sendAll(about, () => {
    const eventId = randomUUID();
    const change = {
      eventId,
      event,
      at: new Date().toISOString(),
      accountId: 'bench',
      visibleTo: ['bench'],
      object: { id: 1, nodeID: 'bm9kZQ' },
      person: null,
      payload: { status: 'assigned', source: 'x'.repeat(700) },
      links: { canonical: '/requests/1', resource: '/v1/requests/1' },
    };
    return {
      id: derivedUuid(eventId, webhookId),
      index: 0,
      publish: () => broker.publish(recordChanged, change, eventId),
    };
  });

answer({ start, open, send, sendEvents, results: () => results });
