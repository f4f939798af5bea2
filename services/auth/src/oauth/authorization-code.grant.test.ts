import { createHash } from 'node:crypto';
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

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  return { person, application, browser: await openSignedIn(auth, person) };
}

const isActive = async (token: string): Promise<boolean> => (await introspect(auth, token)).active;
const refusal = (description: RegExp) => ({
  error: 'invalid_grant',
  error_description: expect.stringMatching(description) as string,
});

test('a code is redeemed once, and a second use revokes all its tokens', async () => {
  const { application, browser } = await seed();
  const code = await obtainCode(browser, application);
  const first = pairIn(await redeem(auth, application, code).expect(200));
  const refreshed = pairIn(await refresh(auth, application, first.refresh_token).expect(200));
  expect(await isActive(refreshed.access_token)).toBe(true);

  const replay = await redeem(auth, application, code).expect(400);
  expect(replay.body).toEqual(refusal(/used before/));
  for (const { access_token } of [first, refreshed]) expect(await isActive(access_token)).toBe(false);
  await refresh(auth, application, refreshed.refresh_token).expect(400);
});

test('a replay does not affect a second authorization by the same person', async () => {
  const { application, browser } = await seed();
  const code = await obtainCode(browser, application);
  const other = pairIn(await redeem(auth, application, await obtainCode(browser, application)).expect(200));
  await redeem(auth, application, code).expect(200);
  await redeem(auth, application, code).expect(400);
  expect(await isActive(other.access_token)).toBe(true);
});

test('of 50 concurrent redemptions over two replicas one succeeds, and its tokens are revoked too', async () => {
  const { application, browser } = await seed();
  const replica = await store.start({ database: auth.database });
  const code = await obtainCode(browser, application);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => redeem(index % 2 ? auth : replica, application, code)),
  );
  const [won, ...others] = answers.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
  expect(await isActive(pairIn(won as { body: unknown }).access_token)).toBe(false);
});

test('a code expires after ten minutes', async () => {
  const { application, browser } = await seed();
  const inTime = await obtainCode(browser, application);
  const late = await obtainCode(browser, application);
  auth.clock.offset = 10 * 60_000 - 5_000;
  await redeem(auth, application, inTime).expect(200);
  auth.clock.offset = 10 * 60_000;
  expect((await redeem(auth, application, late).expect(400)).body).toEqual(refusal(/expired/));
});

test('a wrong client, address or verifier is refused and does not use up the code', async () => {
  const { person, application, browser } = await seed();
  const thief = await seedApplication(auth, person.accountId, { name: 'Thief' });
  const code = await obtainCode(browser, application);
  expect((await redeem(auth, thief, code).expect(400)).body).toEqual(refusal(/unknown/));
  const wrongAddress = await redeem(auth, application, code, { redirect_uri: 'https://client.example/other' });
  expect(wrongAddress.body).toEqual(refusal(/redirect_uri/));
  const unasked = await redeem(auth, application, code, { code_verifier: 'v'.repeat(43) });
  expect(unasked.body).toEqual(refusal(/code_verifier/));
  const pair = pairIn(await redeem(auth, application, code).expect(200));

  await redeem(auth, thief, code).expect(400);
  expect(await isActive(pair.access_token)).toBe(true);
});

test('a code requested with a challenge needs the verifier', async () => {
  const { application, browser } = await seed();
  const verifier = 'a-Verifier_of.43~characters-is-long-enough-0';
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const code = await obtainCode(browser, application, { code_challenge, code_challenge_method: 'S256' });
  for (const code_verifier of [undefined, 'w'.repeat(43), 'short', `${verifier}x`, code_challenge]) {
    expect((await redeem(auth, application, code, { code_verifier }).expect(400)).body).toEqual(
      refusal(/code_verifier/),
    );
  }
  await redeem(auth, application, code, { code_verifier: verifier }).expect(200);
});

test('malformed and made-up codes are refused', async () => {
  const { application } = await seed();
  for (const code of ['x', 'itsm_ac_' + 'a'.repeat(49), `${'a'.repeat(5000)}`, '$ne']) {
    expect((await redeem(auth, application, code).expect(400)).body).toEqual(refusal(/unknown/));
  }
});

test('a code is void when the authorization was revoked or the person disabled before it was redeemed', async () => {
  const { person, application, browser } = await seed();
  const code = await obtainCode(browser, application);
  await auth.app.services.persons.disable(person.accountId, person.id);
  expect((await redeem(auth, application, code).expect(400)).body).toEqual(refusal(/disabled/));
});
