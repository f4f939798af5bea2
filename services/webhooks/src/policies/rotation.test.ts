import type { PolicySaved } from '@itsm/shared/contracts/webhook-policies';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import request from 'supertest';
import { accountUrl, day, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { bodyOf } from '../testing/webhook-steps';
import { careAt, isRotationDue, publishedKeys } from './key-schedule';
import type { PolicyKey } from './policy';

const minute = 60_000;
const hour = 60 * minute;

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
});
beforeEach(async () => {
  service = await startService(engines);
});
afterEach(() => service.close());
afterAll(() => engines.close());

const path = '/v1/webhook_policies';
const wdc = () => service.as('wdc');

async function kidsPublished(name = 'p'): Promise<string[]> {
  const { body } = await request(service.app.http).get(`/accounts/wdc/webhook_policies/${name}/jwks`).expect(200);
  return (body as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

/** The newest message about the policy. */
const published = (version: number): Promise<PolicySaved> =>
  waitUntil(`version ${version} of the policy`, () => service.policies.find((policy) => policy.version === version));

/** The `kid` that webhook-delivery would sign with. */
const signing = ({ keys }: PolicySaved): string | undefined =>
  keys.findLast(({ signsFrom }) => new Date(signsFrom) <= service.now())?.kid;

test('a new key is published an hour before it signs, and the old one an hour after', async () => {
  const { id, keys } = bodyOf(await wdc().post(path, { name: 'p' }).expect(201));
  const old = (keys as { kid: string }[])[0]?.kid;
  const { keys: both, public_key_pem } = bodyOf(await wdc().post(`${path}/${id}/rotate`).expect(200));
  const next = (both as { kid: string }[])[1]?.kid;
  expect(public_key_pem).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expect(both).toEqual([
    { kid: old, signs_from: '2026-03-18T19:04:06Z', published_until: '2026-03-18T21:06:06Z' },
    { kid: next, signs_from: '2026-03-18T20:05:06Z', published_until: null },
  ]);
  expect(await kidsPublished()).toEqual([old, next]);
  const policy = await published(2);
  expect(signing(policy)).toBe(old);
  service.pass(hour);
  expect(signing(policy)).toBe(old);
  service.pass(minute);
  expect(signing(policy)).toBe(next);
  service.pass(hour);
  expect(await kidsPublished()).toEqual([old, next]);
  service.pass(minute);
  expect(await kidsPublished()).toEqual([next]);
});

test('while a key waits, no request makes another', async () => {
  const { id } = bodyOf(await wdc().post(path, { name: 'p' }).expect(201));
  const answers = await Promise.all([1, 2, 3].map(() => wdc().post(`${path}/${id}/rotate`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await kidsPublished()).toHaveLength(2);
  service.pass(61 * minute);
  await wdc().post(`${path}/${id}/rotate`).expect(200);
});

test('a shared secret is replaced on the same schedule and returned once', async () => {
  const first = bodyOf(await wdc().post(path, { name: 'p', jwt_alg: 'hs256' }).expect(201));
  const second = bodyOf(await wdc().post(`${path}/${first.id}/rotate`).expect(200));
  expect(second['shared_secret']).toMatch(/^[\w-]{43}$/);
  expect(second['shared_secret']).not.toBe(first['shared_secret']);
  expect(bodyOf(await wdc().get(`${path}/${first.id}`))).not.toHaveProperty('shared_secret');
});

test('with an interval keys are rotated automatically, and old ones are deleted', async () => {
  const made = bodyOf(await wdc().post(path, { name: 'p', key_rotation_days: 30 }).expect(201));
  service.pass(30 * day - 1);
  expect(await kidsPublished()).toHaveLength(1);
  service.pass(1);
  const { keys } = await published(2);
  expect(keys).toHaveLength(2);
  service.pass(2 * hour + 2 * minute);
  expect((await published(3)).keys).toEqual([keys[1]]);
  const lines = (await wdc().get(`${path}/${made.id}/audit`).expect(200)).body as { person: unknown }[];
  expect(lines.map(({ person }) => person)).toEqual([{ id: 1, name: 'Ada Administrator' }, null, null]);
});

test('a disabled policy makes no keys until it is enabled', async () => {
  const policy = { name: 'p', key_rotation_days: 1, disabled: true };
  const { id } = bodyOf(await wdc().post(path, policy).expect(201));
  service.pass(2 * day);
  const stored = await service.connection.collection<{ _id: number }>('webhook_policies').findOne({ _id: id });
  expect(stored).toMatchObject({ careAt: null });
  await wdc().patch(`${path}/${id}`, { disabled: false }).expect(200);
  expect((await published(3)).keys).toHaveLength(2);
});

test('every change of a policy is published, with its state', async () => {
  const { id } = bodyOf(await wdc().post(path, { name: 'p', jwt_audience: 'me', jwt_claim_expires_in: 5 }).expect(201));
  expect(await published(1)).toMatchObject({
    id,
    accountId: 'wdc',
    state: 'enabled',
    algorithm: 'es256',
    audience: 'me',
    expiresInMinutes: 5,
    issuers: { account: accountUrl('wdc'), discovery: `${accountUrl('wdc')}/webhook_policies/p` },
  });
  await wdc().patch(`${path}/${id}`, { disabled: true, name: 'q' }).expect(200);
  expect(await published(2)).toMatchObject({
    state: 'disabled',
    issuers: { discovery: `${accountUrl('wdc')}/webhook_policies/q` },
  });
  await wdc().delete(`${path}/${id}`).expect(204);
  expect(await published(3)).toMatchObject({ state: 'deleted', keys: [] });
});

test.each(['es256', 'rs256', 'hs256'])('neither store, messages nor log hold a key of %s in clear', async (jwt_alg) => {
  const { id, shared_secret } = bodyOf(await wdc().post(path, { name: 'p', jwt_alg }).expect(201));
  await wdc().post(`${path}/${id}/rotate`).expect(200);
  const { keys } = await published(2);
  const collections = await service.connection.listCollections();
  const documents = collections.map(({ name }) => service.connection.collection(name).find().toArray());
  const dump = JSON.stringify([await Promise.all(documents), service.messages, service.lines]);
  expect(dump).toContain(keys[1]?.sealed);
  expect(dump).not.toMatch(/PRIVATE KEY|"d":|"p":/);
  for (const key of keys) {
    const secret = service.opened(key);
    for (const line of secret.split('\n').filter((text) => text.length > 20)) expect(dump).not.toContain(line);
  }
  if (jwt_alg === 'hs256') expect(dump).not.toContain(String(shared_secret));
});

test('the schedule of keys', () => {
  const at = (minutes: number) => new Date(minutes * minute);
  const key = (kid: string, minutes: number) => ({ kid, signsFrom: at(minutes) }) as PolicyKey;
  const keys = [key('a', 0), key('b', 100), key('c', 200)];
  const published = (minutes: number) => publishedKeys(keys, at(minutes)).map(({ kid }) => kid);
  expect([published(160), published(161), published(261)]).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c']]);
  const one = { keys: [key('a', 0)], keyRotationDays: 1, disabled: false };
  expect([isRotationDue(one, at(1_439)), isRotationDue(one, at(1_440))]).toEqual([false, true]);
  expect(careAt(one)).toEqual(at(1_440));
  expect(careAt({ ...one, disabled: true })).toBeNull();
  expect(careAt({ keys, keyRotationDays: null, disabled: true })).toEqual(at(161));
});
