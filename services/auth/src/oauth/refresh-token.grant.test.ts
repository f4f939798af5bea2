import { createOpaqueToken } from '@itsm/shared/base/ids/opaque-token';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { obtainCode, openSignedIn } from '../testing/browser';
import { introspect, pairIn, redeem, refresh } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

async function seed(on = auth) {
  const person = await seedPerson(on);
  const application = await seedApplication(on, person.accountId);
  const browser = await openSignedIn(on, person);
  const first = pairIn(await redeem(on, application, await obtainCode(browser, application)).expect(200));
  return { person, application, browser, first };
}

const isActive = async (token: string): Promise<boolean> => (await introspect(auth, token)).active;

test('the old access token keeps its expiry, and the refreshed one lasts an hour', async () => {
  const { application, first } = await seed();
  auth.clock.offset = 30 * 60_000;
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  expect(await isActive(first.access_token)).toBe(true);
  auth.clock.offset = 60 * 60_000;
  expect(await isActive(first.access_token)).toBe(false);
  expect(await isActive(second.access_token)).toBe(true);
});

test('a refresh token expires after two weeks', async () => {
  const { application, first } = await seed();
  auth.clock.offset = 14 * 86_400_000 - 5_000;
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  auth.clock.offset += 14 * 86_400_000;
  await refresh(auth, application, second.refresh_token).expect(400);
});

test('20 concurrent refreshes over two replicas give one identical pair', async () => {
  const { application, first } = await seed();
  const replica = await store.start({ database: auth.database });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => refresh(index % 2 ? auth : replica, application, first.refresh_token)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(answers.map(({ body }): unknown => body)).toEqual(Array(20).fill(answers[0]?.body));
  expect(await isActive(pairIn(answers[0] as { body: unknown }).access_token)).toBe(true);
  expect(
    await auth.connection.collection('access_tokens').countDocuments({ 'grant.clientId': application.clientId }),
  ).toBe(2);
});

test('within the grace period a retry gets the identical pair', async () => {
  const { application, first } = await seed();
  const second = await refresh(auth, application, first.refresh_token).expect(200);
  auth.clock.offset = 9_000;
  const repeated = await refresh(auth, application, first.refresh_token).expect(200);
  expect(repeated.body).toEqual(second.body);
});

test('reuse after the grace period revokes the family', async () => {
  const { application, first } = await seed();
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  auth.clock.offset = 11_000;
  const reused = await refresh(auth, application, first.refresh_token).expect(400);
  expect(reused.body).toMatchObject({ error: 'invalid_grant' });
  for (const { access_token } of [first, second]) expect(await isActive(access_token)).toBe(false);
  await refresh(auth, application, second.refresh_token).expect(400);
});

test('with a grace period of 0 seconds every second use revokes the family', async () => {
  const strict = await store.start({ settings: { REFRESH_GRACE_SECONDS: '0' } });
  const { application, first } = await seed(strict);
  const second = pairIn(await refresh(strict, application, first.refresh_token).expect(200));
  await refresh(strict, application, first.refresh_token).expect(400);
  expect((await introspect(strict, second.access_token)).active).toBe(false);
});

test('with a grace period of 60 seconds the identical pair is returned for so long, and the sealed copy is wiped after that', async () => {
  const settings = { REFRESH_GRACE_SECONDS: '60' };
  const patient = await store.start({ settings });
  const [early, late] = [await seed(patient), await seed(patient)];
  await refresh(patient, early.application, early.first.refresh_token).expect(200);
  auth.clock.offset = 30_000;
  const pair = await refresh(patient, late.application, late.first.refresh_token).expect(200);
  auth.clock.offset = 60_000;
  // A replica sweeps sealed successors at its start.
  await store.start({ database: patient.database, settings });
  const sealed = ({ application: { clientId } }: typeof early) =>
    patient.connection
      .collection('refresh_tokens')
      .countDocuments({ 'grant.clientId': clientId, 'rotation.successor': { $type: 'string' } });
  await waitUntil('the first seal to be wiped', async () => (await sealed(early)) === 0);
  const repeated = await refresh(patient, late.application, late.first.refresh_token).expect(200);
  expect(repeated.body).toEqual(pair.body);
  await refresh(patient, early.application, early.first.refresh_token).expect(400);
});

test('a family that is refreshed all the time expires after a year', async () => {
  const { application, first } = await seed();
  let pair = first;
  const day = 86_400_000;
  for (let days = 13; days < 365; days += 13) {
    auth.clock.offset = days * day;
    pair = pairIn(await refresh(auth, application, pair.refresh_token).expect(200));
  }
  // A refresh token ends with its family at the latest, and the answer says when.
  expect(pair).toMatchObject({ refresh_token_expires_in: (365 - 364) * 86_400 });
  for (const days of [365, 366]) {
    auth.clock.offset = days * day;
    const ended = await refresh(auth, application, pair.refresh_token).expect(400);
    expect(ended.body).toEqual({
      error: 'invalid_grant',
      error_description: 'The authorization has reached its end',
    });
  }
});

test('the answer says how long the refresh token lasts, up to the end of the family', async () => {
  const day = 86_400_000;
  const strict = await store.start({ database: auth.database, settings: { REFRESH_FAMILY_DAYS: '20' } });
  const { application, first } = await seed(strict);
  expect(first).toMatchObject({ refresh_token_expires_in: 14 * 86_400 });
  auth.clock.offset = 13 * day;
  const second = pairIn(await refresh(strict, application, first.refresh_token).expect(200));
  expect(second).toMatchObject({ refresh_token_expires_in: 7 * 86_400 });
  auth.clock.offset = 20 * day;
  for (const days of [20, 21, 33]) {
    auth.clock.offset = days * day;
    const { body } = await refresh(strict, application, second.refresh_token).expect(400);
    expect(body).toEqual({ error: 'invalid_grant', error_description: 'The authorization has reached its end' });
  }
});

test('an expired refresh token is expired, also when its family is deleted, and an unknown one is unknown', async () => {
  const day = 86_400_000;
  const { application, first } = await seed();
  const said = async (token: string) =>
    ((await refresh(auth, application, token).expect(400)).body as { error_description: string }).error_description;
  auth.clock.offset = 14 * day;
  expect(await said(first.refresh_token)).toBe('The refresh token has expired');
  auth.clock.offset = 15 * day;
  await auth.connection.collection('token_families').deleteMany({ 'grant.clientId': application.clientId });
  expect(await said(first.refresh_token)).toBe('The refresh token has expired');
  const unknown = createOpaqueToken('rt');
  expect(await said(unknown)).toBe('The refresh token is unknown');
});

test('RFC 6749 §6: scope narrows the new access token alone, never beyond the grant', async () => {
  const { application, first } = await seed();
  const scopesOf = async (token: string) => (await introspect(auth, token)).claims['scopes'];
  const narrow = await refresh(auth, application, first.refresh_token, { scope: 'me:* task:Read' }).expect(200);
  expect(narrow.body).toMatchObject({ scope: 'me:Name' });
  const second = pairIn(narrow);
  expect(await scopesOf(second.access_token)).toEqual([{ effect: 'allow', actions: ['me:Name'] }]);
  const repeated = await refresh(auth, application, first.refresh_token, { scope: 'me:Name' }).expect(200);
  expect(repeated.body).toEqual(narrow.body);
  const wider = await refresh(auth, application, first.refresh_token).expect(400);
  expect(wider.body).toMatchObject({ error_description: 'The refresh token was used before, with another scope' });
  const third = await refresh(auth, application, second.refresh_token).expect(200);
  expect(third.body).toMatchObject({ scope: 'me:Name person:Read' });
  expect(await scopesOf(pairIn(third).access_token)).toEqual([
    { effect: 'allow', actions: ['me:Name', 'person:Read'] },
  ]);
  const beyond = await refresh(auth, application, pairIn(third).refresh_token, { scope: 'task:Read' }).expect(400);
  expect(beyond.body).toMatchObject({ error: 'invalid_scope' });
});

test('a shorter lifetime applies at once, also to existing families', async () => {
  const { application, first } = await seed();
  const untouched = await seed();
  const strict = await store.start({ database: auth.database, settings: { REFRESH_FAMILY_DAYS: '1' } });
  const second = pairIn(await refresh(strict, application, first.refresh_token).expect(200));
  auth.clock.offset = 86_400_000;
  // Its token was issued with a longer lifetime.
  await refresh(strict, untouched.application, untouched.first.refresh_token).expect(400);
  const { body } = await refresh(strict, application, second.refresh_token).expect(400);
  expect(body).toMatchObject({ error: 'invalid_grant' });
});

test('only the immediate predecessor has a grace period', async () => {
  const { application, first } = await seed();
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  const third = pairIn(await refresh(auth, application, second.refresh_token).expect(200));
  const early = await refresh(auth, application, first.refresh_token).expect(400);
  expect(early.body).toMatchObject({ error: 'invalid_grant' });
  expect(await isActive(third.access_token)).toBe(true);
});

test('a refresh token is bound to its client; use by another client does not revoke it', async () => {
  const { person, application, first } = await seed();
  const thief = await seedApplication(auth, person.accountId, { name: 'Thief' });
  const stolen = await refresh(auth, thief, first.refresh_token).expect(400);
  expect(stolen.body).toEqual({ error: 'invalid_grant', error_description: 'The refresh token is unknown' });
  await refresh(auth, application, first.refresh_token).expect(200);
});

test('access tokens, codes and malformed tokens are refused as refresh tokens', async () => {
  const { application, first } = await seed();
  for (const token of [first.access_token, 'junk', 'itsm_rt_' + '0'.repeat(49)]) {
    expect((await refresh(auth, application, token).expect(400)).body).toMatchObject({ error: 'invalid_grant' });
  }
});

test('the sealed successor is wiped when the successor is used', async () => {
  const { application, first } = await seed();
  const sealed = () =>
    auth.connection
      .collection('refresh_tokens')
      .countDocuments({ 'grant.clientId': application.clientId, 'rotation.successor': { $type: 'string' } });
  const second = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  expect(await sealed()).toBe(1);
  await refresh(auth, application, second.refresh_token).expect(200);
  expect(await sealed()).toBe(1);
});
