import { bodyIn, requestToken } from '../testing/client';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
let replica: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
  replica = await store.start({ database: auth.database });
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

async function seed() {
  const person = await seedPerson(auth);
  return seedApplication(auth, person.accountId, {
    grantTypes: ['client_credentials'],
    actsAsPersonId: person.id,
  });
}

const request = (on: Auth, application: SeededApplication, ip: string, more: object = {}) =>
  requestToken(on, application, { grant_type: 'client_credentials', ...more }).set('X-Forwarded-For', ip);

const wrong = { client_secret: 'wrong' };

async function fail(application: SeededApplication, ip: string, times: number): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) {
    await request(failed % 2 ? replica : auth, application, ip, { client_secret: 'wrong' }).expect(400);
  }
}

test('RFC 6819 §5.1.4.2.3: after ten wrong secrets from one address every replica throttles it', async () => {
  const application = await seed();
  await fail(application, '192.0.2.1', 10);
  for (const on of [auth, replica]) {
    const response = await request(on, application, '192.0.2.1', wrong).expect(429);
    expect(response.body).toMatchObject({ error: 'temporarily_unavailable' });
    expect(Number((response.headers as Record<string, string>)['retry-after'])).toBeGreaterThan(0);
  }
});

test('the right secret is never throttled, and resets the count of failures', async () => {
  const application = await seed();
  await fail(application, '192.0.2.2', 10);
  await request(auth, application, '192.0.2.2', wrong).expect(429);
  await request(auth, application, '192.0.2.3').expect(200);
  await request(replica, application, '192.0.2.2').expect(200);
  await fail(application, '192.0.2.2', 10);
  const told = { event: 'client.failed', clientId: application.clientId };
  expect(await auth.connection.collection('security_log').countDocuments(told)).toBe(1);
});

test('one client that fails does not slow down another at the same address', async () => {
  const [one, other] = [await seed(), await seed()];
  await fail(one, '192.0.2.4', 10);
  await request(auth, one, '192.0.2.4', wrong).expect(429);
  await request(auth, other, '192.0.2.4', wrong).expect(400);
});

test('all addresses of an IPv6 network count as one, and so do the two spellings of an IPv4 address', async () => {
  const application = await seed();
  for (let host = 1; host <= 10; host += 1) await fail(application, `2001:db8:0:7::${host}`, 1);
  await request(auth, application, '2001:db8:0:7:ffff::1', wrong).expect(429);
  await request(auth, application, '2001:db8:0:8::1', wrong).expect(400);
  const other = await seed();
  await fail(other, '192.0.2.6', 5);
  await fail(other, '::ffff:192.0.2.6', 5);
  await request(auth, other, '192.0.2.6', wrong).expect(429);
});

test('during guessing of client ids, a wrong secret is answered like an unknown client, and the right one is accepted', async () => {
  const application = await seed();
  const ip = '192.0.2.7';
  const waitIn = ({ headers }: { headers: unknown }) => Number((headers as Record<string, string>)['retry-after'] ?? 0);
  const guess = () => request(auth, application, ip, { client_id: 'nobody' });
  let unknown = await guess().expect(400);
  // Until the wait is long enough for the rest of the test.
  for (let waited = 0; waitIn(unknown) < 60; waited = waitIn(unknown)) {
    auth.clock.offset += 1_000 * waited;
    unknown = await guess();
  }
  const refused = await request(auth, application, ip, wrong).expect(429);
  const error_description = expect.stringMatching(/^Too many failed attempts, wait \d+ seconds$/) as string;
  for (const { body } of [unknown, refused])
    expect(body).toEqual({ error: 'temporarily_unavailable', error_description });
  expect(waitIn(refused)).toBeGreaterThan(30);
  await request(replica, application, ip).expect(200);
  await request(auth, application, '192.0.2.8', { client_secret: 'wrong' }).expect(400);
  for (let tried = 0; tried < 10; tried += 1)
    await request(auth, application, ip, { client_secret: `wrong ${tried}` }).expect(429);
  await request(auth, application, ip).expect(200);
});

test('unknown clients are throttled like known ones and leave one entry behind', async () => {
  const application = await seed();
  const throttles = auth.connection.collection('sign_in_throttles');
  const before = await throttles.countDocuments();
  for (let tried = 0; tried < 10; tried += 1) {
    const body = bodyIn(await request(auth, application, '192.0.2.5', { client_id: `nobody-${tried}` }).expect(400));
    expect(body).toMatchObject({ error: 'invalid_client' });
  }
  await request(auth, application, '192.0.2.5', { client_id: 'nobody' }).expect(429);
  expect(await throttles.countDocuments()).toBe(before + 1);
});
