import { createHash } from 'node:crypto';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Derive } from '../directory/password';
import { attempt, formTokenIn, openSignedIn } from '../testing/browser';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
/** The passwords that were hashed, in order. */
const hashed: string[] = [];
/** While it is there no hash ends. */
let gate: Promise<void> | undefined;

const derivePassword: Derive = async (password, salt) => {
  hashed.push(password);
  await gate;
  return createHash('sha256').update(password).update(salt).digest();
};

beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ derivePassword });
});
afterAll(() => store.close());

const sessions = 6;
/** So many wrong passwords of a session are compared before the next one has to wait. */
const each = 4;

test('somebody who is signed in, with however many sessions, holds up the sign-in of others for one hash', async () => {
  const [greedy, other] = [await seedPerson(auth), await seedPerson(auth)];
  const browsers = await Promise.all(Array.from({ length: sessions }, () => openSignedIn(auth, greedy)));
  const forms = await Promise.all(
    browsers.map(async (browser) => ({ browser, form_token: formTokenIn(await browser.get('/oauth/profile')) })),
  );
  auth.clock.offset = 31 * 60_000;
  let open = (): void => undefined;
  gate = new Promise((resolve) => (open = resolve));
  const address = '/oauth/profile/personal-access-tokens';
  const fields = { name: 'x', action: 'me:Name', confirm_again: 'yes', confirm_password: 'flood' };
  const post = ({ browser, form_token }: (typeof forms)[number]) =>
    browser
      .post(address)
      .type('form')
      .send({ ...fields, form_token });
  const flood = Array.from({ length: each }, () => forms.map(async (form) => post(form))).flat();
  const counted = auth.connection.collection<{ _id: string; failures: number }>('sign_in_throttles');
  await waitUntil('all of them to be counted', async () => {
    const found = await counted.find({ _id: /^confirmation/ }).toArray();
    return found.reduce((sum, { failures }) => sum + failures, 0) > sessions * each - 1;
  });
  const before = hashed.length;
  const signedIn = attempt(auth, other, '198.51.100.40');
  const underWay = { _id: `person ${other.id} 198.51.100.40` };
  await waitUntil('the sign-in to come to its hash', async () => counted.countDocuments(underWay));
  gate = undefined;
  open();
  expect((await signedIn).status).toBe(303);
  expect(hashed.indexOf(other.password, before) - before).toBeLessThan(each + 1);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  // The others have to come again.
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
});
