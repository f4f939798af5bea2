import { randomBytes } from 'node:crypto';
import { policySaved, signingKeyContext } from '@itsm/shared/contracts/webhook-policies';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { reseal } from '@itsm/shared/stores/reseal/reseal';
import type { KeyRing } from '@itsm/shared/stores/reseal/reseal';
import { createSealer } from '@itsm/shared/base/secrets/sealer';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createPolicyRepository } from './policies/policy.repository';
import { sealedPlaces } from './sealed-places';
import { startEngines, startService } from './testing/start';
import type { Engines, Service } from './testing/start';
import { activeWebhook, bodyOf, recordEvent, register, show } from './testing/webhook-steps';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];

let engines: Engines;
let running: Service[] = [];
beforeAll(async () => {
  engines = await startEngines();
});
afterEach(async () => {
  await Promise.all(running.map((service) => service.close()));
  running = [];
});
afterAll(() => engines.close());

async function start(keys: KeyRing, database?: string): Promise<Service> {
  const settings = { DELIVERY_KEYS: keys.map((key) => key.toString('base64')).join(',') };
  const service = await startService(engines, settings, database);
  running.push(service);
  return service;
}

const command = ({ connection }: Service, keys: KeyRing) => {
  const say = (line: string): never => {
    throw new Error(line);
  };
  return reseal({ connection, keys, places: sealedPlaces(keys), say });
};

/** Makes a webhook with audit lines, and a policy with a key, through this replica. */
async function make(service: Service, name: string) {
  const uri = `https://receiver.example/${name}`;
  const { id } = await register(service, 'wdc', { uri });
  await service.as('wdc').patch(`/v1/webhooks/${id}`, { description: name }).expect(200);
  const policy = bodyOf(await service.as('wdc').post('/v1/webhook_policies', { name, jwt_alg: 'es256' }).expect(201));
  return { id, uri, policyId: policy.id };
}

type Made = Awaited<ReturnType<typeof make>>;

/** The replica reads everything that was made, and each of the key rings opens its messages. */
async function expectReadable(service: Service, made: readonly Made[], rings: readonly KeyRing[]): Promise<void> {
  for (const { id, uri } of made) {
    expect(await show(service, 'wdc', id)).toMatchObject({ uri });
    const { body: audit } = await service.as('wdc').get(`/v1/webhooks/${id}/audit`).expect(200);
    expect(JSON.stringify(audit)).toContain(uri);
  }
  const { eventId } = await recordEvent(service, 'wdc');
  const requests = await waitUntil('the requested deliveries', () => {
    const found = service.deliveries.filter((delivery) => delivery.eventId === eventId);
    return found.length === made.length ? found : undefined;
  });
  for (const ring of rings)
    for (const { id, uri } of made) {
      const { sealed, deliveryId } = requests.find(({ webhookId }) => webhookId === id)!;
      expect(createSealer(ring).open(sealed, deliveryId)).toContain(uri);
    }
}

/** A message about this version of the policy or a later one, from any replica. */
const policyPublished = (policyId: number, from = 1) =>
  waitUntil(`policy ${policyId}`, () =>
    running.flatMap(({ policies }) => policies).find(({ id, version }) => id === policyId && version >= from),
  );

test.each<[string, KeyRing, KeyRing]>([
  ['the new key is added', [oldKey], [oldKey, newKey]],
  ['the new key is put first', [oldKey, newKey], [newKey, oldKey]],
  ['the old key is taken out', [newKey, oldKey], [newKey]],
])('while %s, all replicas read and deliver what any of them has sealed', async (_step, ...rings) => {
  const before = await start(rings[0]);
  const after = await start(rings[1], before.database);
  const made = [await make(before, 'before'), await make(after, 'after')];
  for (const replica of [before, after]) await expectReadable(replica, made, rings);
  for (const { policyId } of made) {
    const [key] = (await policyPublished(policyId)).keys;
    for (const ring of rings)
      expect(createSealer(ring).open(key!.sealed, signingKeyContext(key!.kid))).toContain('PRIVATE KEY');
  }
});

test('after re-encryption the old key can go: addresses, their proof, audit lines and keys of policies', async () => {
  const service = await start([oldKey]);
  const made = await make(service, 'first');
  const proven = await activeWebhook(service, 'wdc', { uri: 'https://receiver.example/proven' });
  const gone = await make(service, 'gone');
  await service.as('wdc').delete(`/v1/webhooks/${gone.id}`).expect(204);

  const keys: KeyRing = [newKey, oldKey];
  expect(await command(service, keys)).toMatchObject({ remaining: new Map() });
  expect(await command(service, keys)).toEqual({ resealed: 0, remaining: new Map() });

  const later = await start([newKey], service.database);
  expect(await show(later, 'wdc', made.id)).toMatchObject({ uri: made.uri });
  const tombstone = `{ _entities(representations: [{ __typename: "Webhook", id: "${gone.id}" }]) { ... on Webhook { uri } } }`;
  expect(bodyOf(await later.as('wdc').graphql(tombstone))).toEqual({ data: { _entities: [{ uri: gone.uri }] } });
  // A tombstone does not prove its address.
  expect(await register(later, 'wdc', { uri: gone.uri, event: 'task.create' })).toMatchObject({ state: 'unverified' });
  await expectReadable(later, [made, { ...made, ...proven }], [[newKey]]);
  // An address proven before the rotation needs no new proof.
  expect(await register(later, 'wdc', { uri: proven.uri, event: 'request.update' })).toMatchObject({ state: 'active' });

  await later.as('wdc').post(`/v1/webhook_policies/${made.policyId}/rotate`).expect(200);
  const { keys: both } = await policyPublished(made.policyId, 2);
  expect(both.map((key) => later.opened(key))).toEqual(
    [1, 2].map(() => expect.stringContaining('PRIVATE KEY') as string),
  );
});

test('a policy change that read its keys before they are re-encrypted does not bring the old ones back', async () => {
  const service = await start([oldKey]);
  const { policyId } = await make(service, 'p');
  const policies = createPolicyRepository(service.connection);
  const before = (await policies.find('wdc', policyId))!;
  await command(service, [newKey, oldKey]);
  const message = outboxEntry(policySaved, { ...(await policyPublished(policyId)), version: before.version + 1 });
  const after = { ...before, version: before.version + 1 };
  expect(await policies.replace(after, { message, line: undefined }, service.now())).toBe('stale');
  await service.as('wdc').patch(`/v1/webhook_policies/${policyId}`, { jwt_audience: 'them' }).expect(200);
  expect(await command(service, [newKey, oldKey])).toEqual({ resealed: 0, remaining: new Map() });
});
