import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import { freePort } from './free-port';
import { makePlatformData, stores } from './platform-data';
import { startPlatformProcess } from './platform-process';
import { call, query } from './tour/api';
import { members, text } from './tour/expect';
import { startReceiver } from './tour/receiver';
import type { Receiver } from './tour/receiver';

const credentials = (demo: DemoFile) => ({
  token: demo.accounts.wdc.administrator.personal_access_token,
  account: 'wdc',
});

const registerWebhook = async (demo: DemoFile, receiver: Receiver): Promise<void> => {
  const created = await call(`${demo.base_url}/v1/webhooks`, credentials(demo), {
    method: 'POST',
    json: { event: 'request.create', uri: receiver.uri },
  });
  expect(created.status).toBe(201);
  const { body } = await receiver.next((delivery) => delivery.body['event'] === 'webhook.verify');
  const callback = text(members(body['payload'], 'payload')['callback'], 'callback');
  expect((await fetch(callback)).status).toBe(200);
};

/** Creates requests until the platform is gone; counts only acknowledged ones. */
async function createUntilGone(demo: DemoFile, acknowledged: string[]): Promise<void> {
  for (let index = 0; ; index += 1) {
    const id = await query(
      demo.graphql_url,
      credentials(demo),
      'mutation ($subject: String!) { requestCreate(input: { subject: $subject }) { request { id } errors { message } } }',
      { subject: `Before the power cut ${index}` },
    ).then(
      ({ data }) => text(members(members(data['requestCreate'], 'payload')['request'], 'request')['id'], 'id'),
      () => undefined,
    );
    if (id === undefined) return;
    acknowledged.push(id);
  }
}

const promise = 'whatever was acknowledged before kill -9 is there after the next start, and its webhooks arrive';

// The embedded store dies with the process; a MongoDB survives, and its leases stay.
test.each(stores)(`%s: ${promise}`, async (store) => {
  const data = makePlatformData('power-cut', store);
  const port = await freePort();
  const receiver = await startReceiver();
  const acknowledged: string[] = [];
  const first = await startPlatformProcess({ port, data });
  await registerWebhook(first.demo, receiver);
  const creating = createUntilGone(first.demo, acknowledged);
  // The receiver has received a few: the cut comes in the middle of the work.
  await receiver.next(({ body }) => body['event'] === 'request.create' && acknowledged.length >= 5);
  await first.kill();
  await creating;

  const second = await startPlatformProcess({ port, data });
  try {
    for (const id of acknowledged) {
      const { body } = await receiver.next((delivery) => delivery.body['object_nodeID'] === id);
      expect(body['event']).toBe('request.create');
    }
    const answer = await query(
      second.demo.graphql_url,
      credentials(second.demo),
      '{ requests(last: 100) { nodes { id } } }',
    );
    const ids = (members(answer.data['requests'], 'requests')['nodes'] as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
  } finally {
    await second.stop();
    await receiver.close();
    await data.remove();
  }
});
