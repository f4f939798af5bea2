import { createHash } from 'node:crypto';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Response } from 'supertest';
import type { Derive } from '../directory/password';
import { hashesAtOnce } from '../directory/password';
import { attempt, formTokenIn, openBrowser } from '../testing/browser';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

const typical = 300;
/** What fits into three seconds, and what of it is for networks. */
const most = Math.floor((3_000 * hashesAtOnce) / typical);
const ofNetworks = Math.ceil((most * 3) / 4);

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
/** While it is shut no hash ends; open, each takes its time on the clock of the test. */
let gate: { readonly opened: Promise<void>; open(): void } | undefined;

const derivePassword: Derive = async (password, salt) => {
  if (gate) await gate.opened;
  else auth.clock.offset += typical;
  return createHash('sha256').update(password).update(salt).digest();
};

function shut(): () => void {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  gate = { opened, open };
  return () => {
    gate = undefined;
    open();
  };
}

beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ derivePassword });
});
afterAll(() => store.close());
afterEach(() => gate?.open());

/** Sign-ins that are sent, and those that have an answer. */
function createCrowd() {
  const answers: Response[] = [];
  const sent: Promise<unknown>[] = [];
  return {
    answers,
    send: (count: number, one: (n: number) => Promise<Response>) => {
      const answered = async (n: number) => answers.push(await one(n));
      sent.push(...Array.from({ length: count }, (_, n) => answered(n)));
    },
    answered: (count: number) => waitUntil(`${count} answers`, () => answers.length === count),
    all: () => Promise.all(sent),
    statuses: () => answers.map(({ status }) => status),
  };
}

const nobody = (n: number) => ({ email: `nobody${n}@greedy.example`, password: 'wrong' });
const networkOf = (n: number): string => `2001:db8:77:${n.toString(16)}::1`;
const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

/** A form in a browser where the person has signed in before. */
async function prepareKnown(person: SeededPerson) {
  const browser = openBrowser(auth);
  expect((await attempt(auth, person, '2001:db8:88::1', browser)).status).toBe(303);
  const form_token = formTokenIn(await browser.get('/oauth/profile'));
  await browser.post('/oauth/sign-out').type('form').send({ form_token }).expect(303);
  const fields = { form_token: formTokenIn(await browser.get('/oauth/sign-in')), ...person };
  return () => browser.post('/oauth/sign-in').set('X-Forwarded-For', networkOf(1)).type('form').send(fields);
}

test('no more attempts wait than are compared in three seconds; the next one is refused at once, with the time of a retry', async () => {
  const people = await Promise.all(times(most - ofNetworks + 1, 0).map(() => seedPerson(auth)));
  const known: (() => Promise<Response>)[] = [];
  for (const person of people) known.push(await prepareKnown(person));
  const open = shut();
  const crowd = createCrowd();
  const running = hashesAtOnce;
  crowd.send(running + ofNetworks + 10, (n) => attempt(auth, nobody(n), networkOf(n)));
  await crowd.answered(10);
  expect(crowd.statuses()).toEqual(times(10, 429));
  for (const { headers, text } of crowd.answers) {
    expect(headers).toHaveProperty('retry-after', '3');
    expect(text).toContain('Too many sign-ins at once');
  }
  // The rest of the room is for people in browsers of theirs.
  crowd.send(known.length, async (n) => (await known[n]?.()) as Response);
  await crowd.answered(11);
  expect(crowd.statuses()).toEqual(times(11, 429));
  open();
  await crowd.all();
  const after = crowd.statuses().slice(11).sort();
  expect(after).toEqual([...times(most - ofNetworks, 303), ...times(running + ofNetworks, 401)]);
});

test('a network that fills the room makes place for each other one', async () => {
  const person = await seedPerson(auth);
  const open = shut();
  const crowd = createCrowd();
  crowd.send(1 + ofNetworks + 5, (n) => attempt(auth, nobody(n), '198.51.100.7'));
  await crowd.answered(5);
  crowd.send(1, () => attempt(auth, person, '198.51.100.8'));
  // With two hashes at once the other network need not even wait.
  if (hashesAtOnce === 1) await crowd.answered(6);
  open();
  await crowd.all();
  expect(crowd.statuses().filter((status) => status === 303)).toHaveLength(1);
});
