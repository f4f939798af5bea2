import type { CallerClaims } from '@itsm/shared/api/identity/caller';
import { day, startEngines, startService } from './testing/start';
import type { Engines, Service } from './testing/start';
import { bodyOf, input } from './testing/webhook-steps';

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

let accounts = 0;

/** An administrator of an account of the test's own. */
function newCaller() {
  const account = `once${(accounts += 1)}`;
  const as = (claims: Partial<CallerClaims> = {}) => service.as(account, claims);
  const post = (key: string, body: object = input, path = '/v1/webhooks') =>
    as().post(path, body).set('Idempotency-Key', key);
  const count = async (path = '/v1/webhooks') =>
    (await as().get(path).expect(200)).headers['x-pagination-total-entries'];
  const kept = () => service.connection.collection('idempotent_calls').find({ accountId: account }).toArray();
  return { account, as, post, count, kept };
}

test('a repetition gets the first answer, and nothing is made again', async () => {
  const { as, post, count } = newCaller();
  const first = await post('order-1').expect(201);
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  const again = await post('order-1').expect(201).expect('Idempotent-Replayed', 'true');
  expect(again.text).toBe(first.text);
  for (const header of ['location', 'etag', 'content-type', 'cache-control'])
    expect([header, again.headers[header]]).toEqual([header, first.headers[header]]);
  // Quoted it is the same key.
  await post('"order-1"').expect(201).expect('Idempotent-Replayed', 'true');
  expect(await count()).toBe('1');
  await post('order-2').expect(201);
  await as().post('/v1/webhooks', input).expect(201);
  expect(await count()).toBe('3');
});

test.each(['patch', 'put', 'delete'] as const)('%s is repeated too', async (method) => {
  const { as, post } = newCaller();
  const { id } = bodyOf(await post('make').expect(201));
  const send = () => {
    const path = `/v1/webhooks/${id}`;
    const call = method === 'delete' ? as().delete(path) : as()[method](path, { name: 'changed' });
    return call.set('Idempotency-Key', 'change');
  };
  const first = await send();
  expect(first.status).toBe(method === 'delete' ? 204 : 200);
  await as().patch(`/v1/webhooks/${id}`, { name: 'changed since' });
  const again = await send().expect(first.status).expect('Idempotent-Replayed', 'true');
  expect(again.text).toBe(first.text);
});

test('another body, path or method with the same key is refused', async () => {
  const { as, post, count } = newCaller();
  const { id } = bodyOf(await post('k').expect(201));
  const refusal = {
    message: 'Validation Failed',
    errors: [['idempotency-key', 'Idempotency-Key was used for another call']],
  };
  await post('k', { ...input, name: 'other' }).expect(422, refusal);
  await post('k', input, '/v1/webhook_policies').expect(422, refusal);
  await as().patch(`/v1/webhooks/${id}`, input).set('Idempotency-Key', 'k').expect(422, refusal);
  await as().delete(`/v1/webhooks/${id}`).set('Idempotency-Key', 'k').expect(422, refusal);
  expect([await count(), await count('/v1/webhook_policies')]).toEqual(['1', '0']);
});

test('of several at once one is made; the others get a 409 or its answer', async () => {
  const { post, count } = newCaller();
  const answers = await Promise.all(['k', 'k', 'k', 'k'].map((key) => post(key)));
  for (const { status, headers } of answers)
    expect(status === 409 ? headers['retry-after'] : [status, headers['retry-after']]).toEqual(
      status === 409 ? '1' : [201, undefined],
    );
  expect(answers.filter(({ status, headers }) => status === 201 && !headers['idempotent-replayed'])).toHaveLength(1);
  expect(await count()).toBe('1');
  await post('k').expect(201).expect('Idempotent-Replayed', 'true');
});

test('other people, applications and accounts have keys of their own', async () => {
  const { as, post, count } = newCaller();
  await post('k').expect(201);
  for (const claims of [{ sub: '77' }, { application: 12 }]) {
    const { headers } = await as(claims).post('/v1/webhooks', input).set('Idempotency-Key', 'k').expect(201);
    expect(headers['idempotent-replayed']).toBeUndefined();
  }
  expect(await count()).toBe('3');
  const stranger = newCaller();
  expect((await stranger.post('k').expect(201)).headers['idempotent-replayed']).toBeUndefined();
});

test('after 24 hours a key is new', async () => {
  const { post, count } = newCaller();
  await post('k').expect(201);
  service.pass(day - 1);
  await post('k').expect(201).expect('Idempotent-Replayed', 'true');
  service.pass(1);
  expect((await post('k', { ...input, name: 'other' }).expect(201)).headers['idempotent-replayed']).toBeUndefined();
  expect(await count()).toBe('2');
});

test('refused calls are not kept, so that the key serves for the correct call', async () => {
  const { as, post, kept } = newCaller();
  await post('k', { event: 'nothing' }).expect(422);
  await as({ scopes: [] }).post('/v1/webhooks', input).set('Idempotency-Key', 'k').expect(403);
  await as().post('/v1/webhooks').set('Idempotency-Key', 'k').set('Content-Type', 'text/plain').send('x').expect(415);
  await as().patch('/v1/webhooks/999999', {}).set('Idempotency-Key', 'k').expect(404);
  expect(await kept()).toEqual([]);
  await post('k').expect(201);
  expect(await kept()).toHaveLength(1);
});

test.each([
  ['of 256 characters', 'k'.repeat(256)],
  ['that is empty', ''],
  ['that is an empty text', '""'],
  ['with a quote inside', 'a"b'],
  ['with other characters than ASCII', 'ké'],
])('a key %s is a 400', async (_what, key) => {
  const { as, count } = newCaller();
  await as()
    .post('/v1/webhooks', input)
    .set('Idempotency-Key', key)
    .expect(400, { message: 'Idempotency-Key must have 1 to 255 characters of ASCII' });
  expect(await count()).toBe('0');
});

test('a key of 255 characters is taken, and reads ignore theirs', async () => {
  const { as, post } = newCaller();
  await post('k'.repeat(255)).expect(201);
  await as().get('/v1/webhooks').set('Idempotency-Key', 'k'.repeat(256)).expect(200);
});

test('a body is as long as without a key, and no longer', async () => {
  const { post } = newCaller();
  const long = (length: number) => ({ ...input, description: 'x'.repeat(length) });
  await post('k', long(65 * 1_024)).expect(413);
  await post('k', long(3 * 1_024 * 1_024)).expect(413);
  await post('k', long(16_384)).expect(201);
});

test('a call without a caller is refused before its key is looked at', async () => {
  const { kept, as } = newCaller();
  await as().post('/v1/webhooks', input).set('Idempotency-Key', 'k').set('Authorization', 'Bearer x').expect(401);
  expect(await kept()).toEqual([]);
});

test('a secret that is shown once is shown again to a repetition, and is kept sealed', async () => {
  const { post, kept, count } = newCaller();
  const make = () => post('k', { name: 'orders', jwt_alg: 'hs256' }, '/v1/webhook_policies').expect(201);
  const { shared_secret: secret } = (await make()).body as { shared_secret: string };
  expect(secret).toHaveLength(43);
  expect(JSON.stringify(await kept())).not.toContain(secret);
  expect(((await make()).body as { shared_secret: string }).shared_secret).toBe(secret);
  expect(await count('/v1/webhook_policies')).toBe('1');
});

test('an answer is shown only to a caller with the scopes and roles of the first', async () => {
  const { account, as, post, count } = newCaller();
  await post('k', { name: 'orders', jwt_alg: 'hs256' }, '/v1/webhook_policies').expect(201);
  const others: Partial<CallerClaims>[] = [
    { scopes: [{ effect: 'allow', actions: ['webhook-policy:Create'] }] },
    { accounts: { [account]: ['specialist'] } },
  ];
  for (const claims of others) {
    const again = as(claims).post('/v1/webhook_policies', { name: 'orders', jwt_alg: 'hs256' });
    await again.set('Idempotency-Key', 'k').expect(409, { message: 'The call was made with other scopes or roles' });
  }
  expect(await count('/v1/webhook_policies')).toBe('1');
});

test('a process that ended before the answer was kept leaves one record, whether it had written it or not', async () => {
  for (const isWritten of [true, false]) {
    const { account, post, count } = newCaller();
    const { id } = bodyOf(await post('k').expect(201));
    const calls = service.connection.collection('idempotent_calls');
    await calls.updateOne({ accountId: account }, { $unset: { answer: '' } });
    if (!isWritten) await service.connection.collection('webhooks').deleteOne({ accountId: account });
    // The attempt may still run.
    await post('k').expect(409).expect('Retry-After', '1');
    service.pass(60_000);
    const { headers, body } = await post('k').expect(201);
    expect([(body as { id: number }).id, headers['idempotent-replayed']]).toEqual([id, undefined]);
    await post('k').expect(201).expect('Idempotent-Replayed', 'true');
    expect(await count()).toBe('1');
  }
});

test('a repetition that is refused leaves the record to the next one', async () => {
  const { account, as, post, count } = newCaller();
  const { id } = bodyOf(await post('k').expect(201));
  await service.connection.collection('idempotent_calls').updateOne({ accountId: account }, { $unset: { answer: '' } });
  service.pass(60_000);
  await as({ scopes: [] }).post('/v1/webhooks', input).set('Idempotency-Key', 'k').expect(403);
  expect(bodyOf(await post('k').expect(201)).id).toBe(id);
  expect(await count()).toBe('1');
});

test('an account keeps its newest 10,000 answers, and takes no room of others', async () => {
  const [{ account, as, kept }, neighbour] = [newCaller(), newCaller()];
  await neighbour.post('k').expect(201);
  const document = (n: number) => ({
    _id: `${account} ${n}`,
    accountId: account,
    fingerprint: '',
    leaseUntil: service.now(),
    answer: null,
    expiresAt: new Date(service.now().getTime() + n),
  });
  const all = Array.from({ length: 10_050 }, (_none, n) => document(n));
  await service.connection.collection<{ _id: string }>('idempotent_calls').insertMany(all);
  // Every hundredth call with a key looks for the oldest.
  for (let n = 0; n < 100; n += 1) await as().delete('/v1/webhooks/999999').set('Idempotency-Key', `${n}`).expect(404);
  const left = (await kept()).map(({ _id: id }) => String(id));
  expect(left).toHaveLength(9_999);
  expect(left).toContain(`${account} 10049`);
  expect(await neighbour.kept()).toHaveLength(1);
});

const mutation = `mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { webhook { number } } }`;

test('mutations have the same keys', async () => {
  const { account, as, count } = newCaller();
  const send = (uri: string) =>
    as()
      .graphql(mutation, { input: { ...input, uri } })
      .set('Idempotency-Key', 'k');
  // Refused, though its errors are not asked for.
  await send('nothing').expect(200, { data: { webhookCreate: { webhook: null } } });
  const first = await send(input.uri).expect(200);
  const again = await send(input.uri).expect(200).expect('Idempotent-Replayed', 'true');
  expect(again.text).toBe(first.text);
  expect(await count()).toBe('1');
  const message = 'Idempotency-Key was used for another call';
  await send('https://other.example/hook').expect(200, {
    data: null,
    errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }],
  });
  const once = as({ accounts: { [account]: ['account_administrator', 'specialist'] } });
  await once
    .graphql(mutation, { input })
    .set('Idempotency-Key', 'k')
    .expect(200, {
      data: null,
      errors: [{ message: 'The call was made with other scopes or roles', extensions: { code: 'BAD_USER_INPUT' } }],
    });
  await as().graphql('{ webhooks { totalCount } }').set('Idempotency-Key', 'k').expect(200);
});

test('of two records that one call makes, a repetition after a lost process makes the one that is not there', async () => {
  const { account, as, kept, count } = newCaller();
  const made = (name: string) =>
    `${name}: webhookCreate(input: { event: "request.create", uri: "https://receiver.example/${name}" }) { webhook { number uri } }`;
  const send = async () => {
    const query = `mutation { ${made('first')} ${made('second')} }`;
    const { body } = await as().post('/graphql', { query }).set('Idempotency-Key', 'two').expect(200);
    return (body as { data: Record<'first' | 'second', { webhook: { number: number } }> }).data;
  };
  const { first, second } = await send();
  await as().delete(`/v1/webhooks/${second.webhook.number}`).expect(204);
  const lost = { $unset: { answer: true }, $set: { leaseUntil: new Date(0) } } as const;
  await service.connection.collection('idempotent_calls').updateOne({ accountId: account }, lost);
  expect(await kept()).toHaveLength(1);
  const again = await send();
  expect(again.first).toEqual(first);
  expect(again.second.webhook.number).toBeGreaterThan(second.webhook.number);
  expect(await count()).toBe('2');
});
