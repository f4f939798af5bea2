import { signingAlgorithms } from '@itsm/shared/contracts/webhook-policies';
import { expectWhole } from '@itsm/shared/testing/whole-record';
import { accountUrl, startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { activeWebhook, bodyOf } from '../testing/webhook-steps';
import { policyType } from './policy';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

const path = '/v1/webhook_policies';
let accounts = 0;
/** A fresh account for each test. */
const newAccount = () => `p${(accounts += 1)}`;
const invalid = (...errors: readonly unknown[]) => ({ message: 'Validation Failed', errors });

test.each([path, `${path}/`])('a policy made at %s is answered with its public key, once', async (address) => {
  const account = newAccount();
  const answer = await service.as(account).post(address, { name: 'orders' }).expect(201);
  const { public_key_pem, ...record } = bodyOf(answer);
  const { id, keys, nodeID } = record;
  expect(answer.headers['location']).toBe(`https://api.example/v1/webhook_policies/${id}`);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(public_key_pem).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expectWhole(policyType, record, {
    id,
    nodeID: Buffer.from(`service.example/WebhookPolicy/${id}`).toString('base64url'),
    name: 'orders',
    jwt_alg: 'es256',
    jwt_audience: null,
    jwt_claim_expires_in: null,
    key_rotation_days: null,
    issuer: `${accountUrl(account)}/webhook_policies/orders`,
    account_issuer: accountUrl(account),
    disabled: false,
    keys: [{ kid: expect.stringMatching(/^[\w-]{43}$/), signs_from: '2026-03-18T19:04:06Z', published_until: null }],
    source: null,
    sourceID: null,
    created_at: '2026-03-18T19:04:06Z',
    updated_at: '2026-03-18T19:04:06Z',
  });
  expect(keys).toHaveLength(1);
  const found = await service
    .as(account)
    .get(`${path}/${String(nodeID)}`)
    .expect(200);
  expect(found.body).toEqual(record);
});

test('a shared secret is returned instead of a public key, is as long as its hash and has no issuer', async () => {
  const { as } = service;
  for (const [jwt_alg, length] of [
    ['hs256', 43],
    ['hs384', 64],
    ['hs512', 86],
  ] as const) {
    const account = newAccount();
    const body = bodyOf(await as(account).post(path, { name: 'x', jwt_alg }).expect(201));
    expect(body).toMatchObject({
      jwt_alg,
      issuer: null,
      account_issuer: accountUrl(account),
      shared_secret: expect.stringMatching(/^[\w-]+$/) as string,
    });
    expect(String(body['shared_secret'])).toHaveLength(length);
    expect(body).not.toHaveProperty('public_key_pem');
  }
});

const members = {
  jwt_audience: 'https://receiver.example',
  jwt_claim_expires_in: 5,
  key_rotation_days: 30,
  disabled: true,
  source: 'CMDB',
  sourceID: 'p-1',
};

test('every member that can be given is kept, at once and later', async () => {
  const client = service.as(newAccount());
  const made = bodyOf(await client.post(path, { name: 'a', jwt_alg: 'rs384', ...members }).expect(201));
  expect(made).toMatchObject({ name: 'a', jwt_alg: 'rs384', ...members });
  const { id } = bodyOf(await client.post(path, { name: 'b' }).expect(201));
  for (const method of ['patch', 'put'] as const) {
    const changed = bodyOf(
      await client[method](`${path}/${id}`, { name: 'c', jwt_alg: 'es256', ...members }).expect(200),
    );
    expect(changed).toMatchObject({ name: 'c', ...members });
    expect(changed).not.toHaveProperty('public_key_pem');
  }
  const emptied = { jwt_audience: null, jwt_claim_expires_in: null, key_rotation_days: null, source: null };
  expect(bodyOf(await client.patch(`${path}/${id}`, emptied).expect(200))).toMatchObject(emptied);
});

test.each([{}, { name: null }, { name: '' }])(
  'a policy with %j gets a name of its own, also twice at once',
  async (input) => {
    const client = service.as(newAccount());
    const answers = await Promise.all([client.post(path, input).expect(201), client.post(path, input).expect(201)]);
    const names = answers.map((answer) => String(bodyOf(answer)['name']));
    expect(new Set(names).size).toBe(2);
    for (const [index, name] of names.entries()) {
      expect(name).toMatch(/^policy-[0-9a-f]{16}$/);
      expect(String(bodyOf(answers[index]!)['issuer'])).toMatch(new RegExp(`/webhook_policies/${name}$`));
    }
  },
);

test('a given name stays required where a policy is changed', async () => {
  const client = service.as(newAccount());
  const { id } = bodyOf(await client.post(path, { name: 'x' }).expect(201));
  await client.patch(`${path}/${id}`, { name: '' }).expect(422, invalid(['name', 'Name is required']));
  await client.patch(`${path}/${id}`, { name: null }).expect(422, invalid(['name', 'Name is required']));
});

test('texts are accepted for numbers, booleans and null', async () => {
  const client = service.as(newAccount());
  const written = {
    jwt_claim_expires_in: '5',
    key_rotation_days: '30',
    disabled: 'true',
    jwt_audience: '7',
    source: '',
  };
  const stored = { jwt_claim_expires_in: 5, key_rotation_days: 30, disabled: true, jwt_audience: '7', source: null };
  const { id, ...made } = bodyOf(await client.post(path, { name: '12', ...written }).expect(201));
  expect(made).toMatchObject({ name: '12', ...stored });
  const emptied = { jwt_claim_expires_in: '', key_rotation_days: '', jwt_audience: '', disabled: 'false' };
  expect(bodyOf(await client.patch(`${path}/${id}`, emptied).expect(200))).toMatchObject({
    jwt_claim_expires_in: null,
    key_rotation_days: null,
    jwt_audience: null,
    disabled: false,
  });
});

const nameRule = 'Name must have letters, digits, dots, dashes and underscores only, the first a letter or a digit';
const minutesRule = 'Lifetime (minutes) is not a whole number from 1 to 1440';
const algorithmRule = `Algorithm is not one of ${signingAlgorithms.join(', ')}`;
test.each([
  [{ name: 7 }, ['name', 'Name is not a text']],
  [{ name: '../x' }, ['name', nameRule]],
  [{ name: '.well-known' }, ['name', nameRule]],
  [{ name: 'a'.repeat(129) }, ['name', 'Name is too long (at most 128 characters)']],
  [{ name: 'x', jwt_alg: 'none' }, ['jwt_alg', algorithmRule]],
  [{ name: 'x', jwt_alg: 'ES256' }, ['jwt_alg', algorithmRule]],
  [{ name: 'x', jwt_audience: 'a'.repeat(256) }, ['jwt_audience', 'Audience is too long (at most 255 characters)']],
  [{ name: 'x', jwt_claim_expires_in: 0 }, ['jwt_claim_expires_in', minutesRule]],
  [{ name: 'x', jwt_claim_expires_in: 1441 }, ['jwt_claim_expires_in', minutesRule]],
  [{ name: 'x', jwt_claim_expires_in: '5m' }, ['jwt_claim_expires_in', minutesRule]],
  [{ name: 'x', disabled: 'no' }, ['disabled', 'Disabled is not true or false']],
  [{ name: 'x', private_key: 'mine' }, ['private_key', 'Unknown member']],
  [
    { name: 'x', jwt_alg: 'hs256', key_rotation_days: 1 },
    ['key_rotation_days', 'Key rotation (days) cannot be given for a shared secret: nobody would learn the next one'],
  ],
] as const)('%j is refused', async (input, error) => {
  await service.as(newAccount()).post(path, input).expect(422, invalid(error));
});

test('the algorithm stays, and a name is taken in its account only', async () => {
  const [one, other] = [newAccount(), newAccount()];
  const { id } = bodyOf(await service.as(one).post(path, { name: 'x' }).expect(201));
  const changed = await service.as(one).patch(`${path}/${id}`, { jwt_alg: 'hs256' }).expect(422);
  expect(changed.body).toMatchObject({ errors: [['jwt_alg', expect.stringContaining('cannot be changed')]] });
  const taken = invalid(['name', 'Name has already been taken']);
  await service.as(one).post(path, { name: 'x' }).expect(422, taken);
  await service.as(other).post(path, { name: 'x' }).expect(201);
  const { id: second } = bodyOf(await service.as(one).post(path, { name: 'y' }).expect(201));
  await service.as(one).patch(`${path}/${second}`, { name: 'x' }).expect(422, taken);
  const both = [1, 2].map(() => service.as(one).post(path, { name: 'z' }));
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 422]);
});

test('lists are filtered, sorted and narrowed by path', async () => {
  const client = service.as(newAccount());
  for (const [name, jwt_alg, disabled] of [
    ['a', 'es256', false],
    ['b', 'hs256', true],
    ['c', 'es512', false],
  ] as const)
    await client.post(path, { name, jwt_alg, disabled }).expect(201);
  const names = async (address: string) =>
    ((await client.get(address).expect(200)).body as { name: string }[]).map(({ name }) => name);
  expect(await names(path)).toEqual(['a', 'b', 'c']);
  expect(await names(`${path}/enabled`)).toEqual(['a', 'c']);
  expect(await names(`${path}/disabled`)).toEqual(['b']);
  expect(await names(`${path}?jwt_alg=!hs256&sort=-name`)).toEqual(['c', 'a']);
  expect(await names(`${path}?disabled=true`)).toEqual(['b']);
  await client.get(`${path}?keys=x`).expect(400, { message: 'Filtering not allowed on fields: keys' });
  await client.get(`${path}?sort=keys`).expect(400, { message: 'Sorting not allowed on fields: keys' });
});

test('the audit shows who changed what, and keys by their ids', async () => {
  const client = service.as(newAccount(), { sub: '7', name: 'Ann' });
  const { id } = bodyOf(await client.post(path, { name: 'a' }).expect(201));
  await client.patch(`${path}/${id}`, { name: 'b' }).expect(200);
  await client.patch(`${path}/${id}`, { name: 'b' }).expect(200);
  await client.post(`${path}/${id}/rotate`).expect(200);
  const lines = (await client.get(`${path}/${id}/audit`).expect(200)).body as Record<string, unknown>[];
  const person = { id: 7, name: 'Ann' };
  expect(lines).toMatchObject([
    { action: 'created', person },
    { action: 'updated', person, changes: [{ field: 'name', from: 'a', to: 'b' }] },
    { action: 'updated', person, changes: [{ field: 'keys', from: [expect.any(String)] }] },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/PRIVATE|sealed/);
});

test('a policy that signs webhooks cannot be deleted, others can, and the name is free again', async () => {
  const account = newAccount();
  const client = service.as(account);
  const { id } = bodyOf(await client.post(path, { name: 'x' }).expect(201));
  const webhook = await activeWebhook(service, account, { webhook_policy_id: id });
  await client.delete(`${path}/${id}`).expect(422, invalid(['base', `Webhooks are signed by it: ${webhook.id}`]));
  await client.patch(`/v1/webhooks/${webhook.id}`, { webhook_policy_id: null }).expect(200);
  await client.delete(`${path}/${id}`).expect(204);
  await client.get(`${path}/${id}`).expect(404, { message: 'Not Found' });
  await client.delete(`${path}/${id}`).expect(404);
  await client.post(path, { name: 'x' }).expect(201);
});

const operations = [
  ['get', ''],
  ['patch', ''],
  ['put', ''],
  ['delete', ''],
  ['get', '/audit'],
  ['post', '/rotate'],
] as const;

test("another account's policy, and a malformed id, are Not Found for every operation", async () => {
  const owner = service.as(newAccount());
  const other = service.as(newAccount());
  const { id } = bodyOf(await owner.post(path, { name: 'x' }).expect(201));
  for (const [method, more] of operations) {
    await other[method](`${path}/${id}${more}`, { name: 'y' }).expect(404, { message: 'Not Found' });
    for (const junk of ['99999', 'junk', '1.5', Buffer.from('service.example/Webhook/1').toString('base64url')])
      await owner[method](`${path}/${junk}${more}`, { name: 'y' }).expect(404);
  }
  expect(bodyOf(await owner.get(`${path}/${id}`))).toMatchObject({ name: 'x', keys: [{}] });
  expect((await other.get(path).expect(200)).body).toEqual([]);
});

test.each([
  [{ accounts: { p: ['specialist'] } }, 403],
  [{ scopes: [{ effect: 'allow', actions: ['webhook:*'] }] }, 403],
  [{ scopes: [] }, 403],
])('without the role or the scope every operation is forbidden', async (claims, status) => {
  const client = service.as('p', claims as object);
  for (const [method, more] of operations) await client[method](`${path}/1${more}`, {}).expect(status);
  await client.get(path).expect(status);
  await client.get(`${path}/enabled`).expect(status);
  await client.post(path, { name: 'x' }).expect(status);
});

test('malformed bodies and unsupported methods are refused', async () => {
  const client = service.as(newAccount());
  await client.post(path, [] as object).expect(400, { message: 'Invalid JSON' });
  await client.post(path).set('Content-Type', 'text/plain').send('name').expect(415);
  await client.post(path, { name: 'x'.repeat(70_000) }).expect(413);
  await client.delete(path).expect(405);
  await client.get(`${path}/1/rotate`).expect(405);
  await client.post(`${path}/enabled`, {}).expect(405);
});

test('a refusal of very many members is short: the first hundred, and their number', async () => {
  const members = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`nonsense_${at}`, 1]));
  const { body } = await service
    .as(newAccount())
    .post(path, { name: 'orders', ...members })
    .expect(422);
  const { errors } = body as { errors: readonly unknown[] };
  expect(errors).toHaveLength(101);
  expect(errors[0]).toEqual(['nonsense_0', 'Unknown member']);
  expect(errors[100]).toEqual(['base', '1900 more are refused']);
});

test('a refusal names the beginning of a very long member, whole characters only', async () => {
  const begin = 'x'.repeat(499);
  await service
    .as(newAccount())
    .post(path, { name: 'orders', [`${begin}😀${'y'.repeat(10_000)}`]: 1 })
    .expect(422, invalid([`${begin}…`, 'Unknown member']));
});

test('a deletion refuses parameters that it does not know', async () => {
  const account = newAccount();
  const { id } = bodyOf(await service.as(account).post(path, { name: 'orders' }).expect(201));
  await service.as(account).delete(`${path}/${id}?force=true`).expect(400);
  await service.as(account).get(`${path}/${id}`).expect(200);
});
