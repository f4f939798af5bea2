import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startScene } from './scene';
import type { Scene } from './scene';

/** Numbers and ids of sample data in `wdc`, named by their state. */
export interface Furniture {
  /**
   * Webhooks. `signed` is healthy, `failing` waits for its third attempt, and `kept` skipped an event while it was
   * disabled.
   */
  readonly webhooks: Readonly<Record<'signed' | 'failing' | 'unverified' | 'disabled' | 'kept', string>>;
  readonly deliveries: Readonly<Record<'delivered' | 'waiting' | 'failed' | 'test', string>>;
  /** A policy that `signed` uses, and one that nothing uses. */
  readonly policies: Readonly<Record<'used' | 'spare', string>>;
  /** One with a client token, and a disabled one without. */
  readonly applications: Readonly<Record<'ready' | 'disabled', string>>;
  /** The request that all webhooks were called for. */
  readonly request: string;
  /** Problems, for which no webhook is called. */
  readonly problems: Readonly<Record<'archived' | 'trashed', string>>;
}

export interface FurnishedScene extends Scene {
  readonly furniture: Furniture;
}

const log = `query { webhookDeliveries(first: 100) { nodes { deliveryId event test state nextAttemptAt webhook { name } attempts { attempt } } } }`;
interface Log {
  readonly webhookDeliveries: {
    readonly nodes: readonly {
      readonly deliveryId: string;
      readonly event: string;
      readonly test: boolean;
      readonly state: string;
      readonly nextAttemptAt: string | null;
      readonly webhook: { readonly name: string };
      readonly attempts: readonly unknown[];
    }[];
  };
}
type Entry = Log['webhookDeliveries']['nodes'][number];

/** A scene with sample data of every kind. `wdc-labs`, which has the same people, is empty. */
export async function startFurnishedScene(): Promise<FurnishedScene> {
  const scene = await startScene();
  try {
    return Object.assign(scene, { furniture: await furnish(scene) });
  } catch (error) {
    await scene.close();
    throw error;
  }
}

async function furnish(scene: Scene): Promise<Furniture> {
  const { administrator, receiver } = scene;
  const policyOf = async (name: string): Promise<number> =>
    Number((await administrator.post('/v1/webhook_policies', { name, jwt_alg: 'es256' }))['id']);
  const used = await policyOf('orders-es256');
  const spare = await policyOf('spare');
  const signed = await scene.register('pager');
  await administrator.patch(`/v1/webhooks/${signed}`, { name: 'Incident pager', webhook_policy_id: used });
  const failing = await scene.register('warehouse');
  await administrator.patch(`/v1/webhooks/${failing}`, { name: 'Data warehouse' });
  receiver.answer('/warehouse', 500);
  const disabled = await scene.register('archive');
  await administrator.patch(`/v1/webhooks/${disabled}`, { name: 'Archive' });
  receiver.answer('/archive', 410);
  const kept = await scene.register('chat');
  await administrator.patch(`/v1/webhooks/${kept}`, { name: 'Chat room', disabled: true });
  const unverified = await administrator.post('/v1/webhooks', {
    name: 'Change calendar',
    event: 'workflow.create',
    uri: receiver.uriOf('/calendar'),
  });
  const request = await scene.createRequest('The coffee machine is broken');
  await administrator.post(`/v1/webhooks/${signed}/test`, {}, 204);
  await scene.waitForWebhook(kept, { skipped: 1 });
  await administrator.patch(`/v1/webhooks/${kept}`, { disabled: false });
  await scene.waitForWebhook(failing, { failures: 2 });
  const entryOf = (what: string, isIt: (entry: Entry) => boolean): Promise<string> =>
    waitUntil(what, async () => {
      const { webhookDeliveries } = await administrator.graphql<Log>(log, {});
      return webhookDeliveries.nodes.find(isIt)?.deliveryId;
    });
  const ofRequest = (name: string, state: string) => (entry: Entry) =>
    entry.webhook.name === name && entry.event === 'request.create' && !entry.test && entry.state === state;
  return {
    webhooks: { signed, failing, unverified: String(unverified['id']), disabled, kept },
    deliveries: {
      delivered: await entryOf('a delivery that arrived', ofRequest('Incident pager', 'delivered')),
      waiting: await entryOf(
        'a delivery that waits',
        (entry) => ofRequest('Data warehouse', 'pending')(entry) && entry.nextAttemptAt !== null,
      ),
      failed: await entryOf('a delivery that failed', ofRequest('Archive', 'failed')),
      test: await entryOf('a test', (entry) => entry.test),
    },
    policies: { used: String(used), spare: String(spare) },
    applications: { ready: '1', disabled: await disabledApplication(scene) },
    request,
    problems: {
      archived: await problemSetAside(scene, 'archive'),
      trashed: await problemSetAside(scene, 'trash'),
    },
  };
}

async function problemSetAside({ administrator }: Scene, move: 'archive' | 'trash'): Promise<string> {
  const id = String((await administrator.post('/v1/problems', { subject: 'Old firmware' }))['id']);
  await administrator.post(`/v1/problems/${id}/${move}`, {}, 200);
  return id;
}

const create = `mutation ($input: OAuthApplicationCreateInput!) {
  oauthApplicationCreate(input: $input) { oauthApplication { id number } errors { message } } }`;
const disable =
  'mutation ($id: ID!) { oauthApplicationUpdate(input: { id: $id, disabled: true }) { errors { message } } }';
interface Created {
  readonly oauthApplicationCreate: { readonly oauthApplication: { readonly id: string; readonly number: number } };
}

async function disabledApplication({ administrator }: Scene): Promise<string> {
  const input = {
    name: 'Time sheets on the phone',
    redirectUris: ['com.example.times:/callback'],
    scopes: [{ effect: 'allow', actions: ['request:Read'] }],
  };
  const { oauthApplicationCreate } = await administrator.graphql<Created>(create, { input });
  const { id, number } = oauthApplicationCreate.oauthApplication;
  await administrator.graphql(disable, { id });
  return String(number);
}
