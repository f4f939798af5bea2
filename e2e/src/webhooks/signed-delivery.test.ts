import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startPlatform } from '../oauth/testing/platform';
import type { Platform } from '../oauth/testing/platform';
import { administratorOf } from './testing/administrator';
import { startReceiver } from './testing/receiver';
import type { Receiver } from './testing/receiver';
import { verify } from './testing/verify';

let smtp: SmtpReceiver;
let platform: Platform;
let receiver: Receiver;
let administrator: ReturnType<typeof administratorOf>;
beforeAll(async () => {
  smtp = await startSmtpReceiver();
  platform = await startPlatform({ SMTP_URL: smtp.url, MAIL_FROM: 'Platform <platform@e2e.example>' });
  receiver = await startReceiver();
  administrator = administratorOf(platform);
});
afterAll(async () => {
  receiver.close();
  await platform.stop();
  await platform.remove();
  await smtp.close();
});

/** A policy and a webhook of request.create that uses it, verified by the callback that its receiver got. */
async function signedWebhook(name: string, jwt_alg: string) {
  const policy = await administrator.post('/v1/webhook_policies', { name, jwt_alg, jwt_claim_expires_in: 5 });
  const issuer = `${platform.origin}/accounts/wdc/webhook_policies/${name}`;
  expect(policy['issuer']).toBe(issuer);
  const uri = receiver.uriOf(`/${name}`);
  const signing = { webhook_policy_id: policy['id'], openid_connect_discovery: true };
  const webhook = await administrator.post('/v1/webhooks', { event: 'request.create', uri, ...signing });
  const { claims, data } = await verify(await receiver.next(`/${name}`), issuer);
  expect(claims.sub).toBe(String(webhook['id']));
  expect(data).toMatchObject({ event: 'webhook.verify', webhook_id: webhook['id'], openid_connect_discovery: true });
  expect((await fetch(String(data.payload['callback']), { method: 'POST' })).status).toBe(200);
  const path = `/v1/webhooks/${String(webhook['id'])}`;
  expect(await administrator.get(path)).toMatchObject({ state: 'active' });
  return { path, issuer, policyPath: `/v1/webhook_policies/${String(policy['id'])}` };
}

const create = `mutation ($subject: String!) {
  requestCreate(input: { subject: $subject }) { request { id } errors { message } } }`;

async function createRequest(subject: string): Promise<string> {
  const { requestCreate } = await administrator.graphql<{ requestCreate: { request: { id: string } } }>(create, {
    subject,
  });
  return requestCreate.request.id;
}

/** The explanation of a record's only event, once it has `verdict`. */
async function explained(path: string, objectId: unknown, verdict: string): Promise<Record<string, unknown>> {
  const events = (await administrator.get(
    `${path}/events?object_id=${String(objectId)}&event=request.create`,
  )) as unknown;
  const [event, ...others] = events as { id: string }[];
  expect(others).toEqual([]);
  return waitUntil(`the verdict ${verdict}`, async () => {
    const explanation = await administrator.get(`${path}/explain?event_id=${String(event?.id)}`);
    return explanation['verdict'] === verdict ? explanation : undefined;
  });
}

test.each(['rs512', 'es384'])(
  'a receiver verifies what %s has signed with what it finds through the gateway',
  (algorithm) => signedWebhook(`e2e-${algorithm}`, algorithm),
);

test('an administrator registers, signs, rotates the key, recovers skipped deliveries and reads why they were skipped', async () => {
  const { path, issuer, policyPath } = await signedWebhook('journey', 'es256');
  const first = await createRequest('Signed');
  const delivered = await verify(await receiver.next('/journey'), issuer);
  expect(delivered.data).toMatchObject({ event: 'request.create', object_nodeID: first, account_id: 'wdc' });
  expect(await explained(path, delivered.data['object_id'], 'delivered')).toMatchObject({
    attempts: 1,
    last_status: 204,
  });

  const rotated = await administrator.post(`${policyPath}/rotate`, {}, 200);
  expect(rotated['public_key_pem']).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kid: string }[] };
  expect(keys.map(({ kid }) => kid)).toEqual([delivered.kid, expect.any(String)]);

  await administrator.patch(path, { disabled: true });
  const second = await createRequest('Skipped');
  const preview = () => administrator.post(`${path}/redeliver_skipped`, { preview: true }, 200);
  const skipped = await waitUntil('the skipped event', async () => {
    const found = await preview();
    return found['count'] === 1 ? found : undefined;
  });
  const [{ object_id }] = skipped['examples'] as [{ object_id: number }];
  expect(await explained(path, object_id, 'skipped')).toMatchObject({ state: 'disabled', attempts: 0 });
  await administrator.post(`${path}/redeliver_skipped`, {}, 409);

  await administrator.patch(path, { disabled: false });
  expect(await administrator.post(`${path}/redeliver_skipped`, {}, 202)).toMatchObject({ count: 1 });
  const late = await verify(await receiver.next('/journey'), issuer);
  expect(late.data).toMatchObject({ event: 'request.create', object_nodeID: second });
  // The new key does not sign until every receiver can have seen it.
  expect(late.kid).toBe(delivered.kid);
  expect(await explained(path, object_id, 'delivered')).toMatchObject({ attempts: 1 });
  expect(await preview()).toMatchObject({ count: 0 });
});

test('when a receiver is gone its webhook is disabled, and an administrator is notified by mail', async () => {
  const { path } = await signedWebhook('gone', 'es512');
  receiver.answer('/gone', 410);
  await createRequest('Nobody takes this');
  await receiver.next('/gone');
  const mail = await waitUntil('a mail', () => smtp.mails.find(({ email }) => email.subject?.includes('disabled')));
  expect(mail).toMatchObject({ from: 'platform@e2e.example', to: [platform.demo.accounts.wdc.administrator.email] });
  expect(mail.email.text).toContain('410 Gone');
  expect(await administrator.get(path)).toMatchObject({
    state: 'disabled',
    last_error: expect.stringContaining('410') as string,
  });
});
