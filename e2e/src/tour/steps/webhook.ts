import { check, members, text } from '../expect';
import type { Tour } from '../tour';

export async function registerWebhook(tour: Tour): Promise<string> {
  const answer = await tour.call('/v1/webhooks/', {
    method: 'POST',
    json: { event: 'request.create', uri: tour.receiver.uri },
  });
  check(answer.status === 201, `registering answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  tour.webhookUrl = text(answer.headers.get('location'), 'Location');
  tour.webhookId = text(members(answer.body, 'the webhook')['nodeID'], 'nodeID');
  return tour.webhookUrl;
}

export async function verifyWebhook(tour: Tour): Promise<string> {
  const { body } = await tour.receiver.next(
    (delivery) => delivery.body['event'] === 'webhook.verify' && delivery.body['webhook_nodeID'] === tour.webhookId,
  );
  const callback = text(members(body['payload'], 'payload')['callback'], 'payload.callback');
  const response = await fetch(callback);
  check(response.status === 200, `the callback answered ${response.status}`);
  check((await response.text()).includes('Verification successful'), 'the page does not say "Verification successful"');
  const { body: webhook } = await tour.call(tour.webhookUrl);
  check(members(webhook, 'the webhook')['state'] === 'active', `the webhook is ${JSON.stringify(webhook)}`);
  return 'active';
}

const create = /* GraphQL */ `
  mutation ($subject: String!) {
    requestCreate(input: { subject: $subject }) {
      request {
        id
        subject
      }
      errors {
        path
        message
      }
    }
  }
`;

/** Creates a request and waits for its delivery. */
export async function createRequest(tour: Tour): Promise<string> {
  const { data } = await tour.query(create, { subject: `Tour ${new Date().toISOString()}` });
  const answered = Date.now();
  const { request } = members(data['requestCreate'], 'requestCreate');
  const id = text(members(request, 'request')['id'], 'request.id');
  const delivery = await tour.receiver.next(({ body }) => body['object_nodeID'] === id);
  const { headers, body } = delivery;
  check(body['event'] === 'request.create', `the event is ${JSON.stringify(body['event'])}`);
  for (const member of [
    'webhook_id',
    'webhook_nodeID',
    'account_id',
    'account',
    'name',
    'object_id',
    'person_id',
    'person_nodeID',
    'person_name',
    'payload',
  ]) {
    check(body[member] !== undefined, `the body has no ${member}`);
  }
  check(
    /rel="?canonical/.test(String(headers['link'])) && /rel="?resource/.test(String(headers['link'])),
    `the Link header is ${String(headers['link'])}`,
  );
  return `delivered ${delivery.at - answered} ms after the answer`;
}

/** Cleans up, so that no webhook calls a receiver that is gone. */
export async function removeWebhook(tour: Tour): Promise<string> {
  const answer = await tour.call(tour.webhookUrl, { method: 'DELETE' });
  check(answer.status === 204, `deleting answered ${answer.status}`);
  return 'deleted';
}
