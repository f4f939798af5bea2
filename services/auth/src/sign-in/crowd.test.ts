import { createHash } from 'node:crypto';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Response } from 'supertest';
import type { Derive } from '../directory/password';
import { hashesAtOnce } from '../directory/password';
import { attempt, formTokenIn, openBrowser } from '../testing/browser';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';

const typical = 300;
/** The number of hashes in three seconds, and the share for networks. */
const most = Math.floor((3_000 * hashesAtOnce) / typical);
const ofNetworks = Math.ceil((most * 3) / 4);

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
/** The number of hashes begun. */
let begun = 0;
/** The duration of a hash on the test's clock, in milliseconds. */
let took = typical;
/** While shut, no hash ends; once open, each takes `took` on the test's clock. */
let gate: { readonly opened: Promise<void>; open(): void } | undefined;

const derivePassword: Derive = async (password, salt) => {
  begun += 1;
  if (gate) await gate.opened;
  else auth.clock.offset += took;
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

/** The number of store commands for sign-in; background commands, such as those of the outbox, are not counted. */
let commands = 0;
const signingIn = ['accounts', 'people', 'sessions', 'sign_in_throttles', 'security_log'];

beforeAll(async () => {
  store = await startStore();
  const connect = async (url: string) => {
    const connection = await connectPatiently(url, { monitorCommands: true });
    connection.getClient().on('commandStarted', ({ command, commandName }) => {
      if (signingIn.includes(String(command[commandName]))) commands += 1;
    });
    return connection;
  };
  auth = await store.start({ derivePassword, connect });
});
afterAll(() => store.close());
afterEach(() => gate?.open());

/** Sends sign-ins and collects their answers. */
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

/** Prepares the sign-in form in a known browser of the person. */
async function prepareKnown(person: SeededPerson) {
  const browser = openBrowser(auth);
  expect((await attempt(auth, person, '2001:db8:88::1', browser)).status).toBe(303);
  const form_token = formTokenIn(await browser.get('/oauth/profile'));
  await browser.post('/oauth/sign-out').type('form').send({ form_token }).expect(303);
  const fields = { form_token: formTokenIn(await browser.get('/oauth/sign-in')), ...person };
  return () => browser.post('/oauth/sign-in').set('X-Forwarded-For', networkOf(1)).type('form').send(fields);
}

test('the queue holds as many attempts as can be compared in three seconds; the next one is refused at once with Retry-After', async () => {
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
  // The rest of the queue is reserved for known browsers.
  crowd.send(known.length, async (n) => (await known[n]?.()) as Response);
  await crowd.answered(11);
  expect(crowd.statuses()).toEqual(times(11, 429));
  open();
  await crowd.all();
  const after = crowd.statuses().slice(11).sort();
  expect(after).toEqual([...times(most - ofNetworks, 303), ...times(running + ofNetworks, 401)]);
});

test('when the queue is full, an attempt is refused before any read, but not from a known browser', async () => {
  const person = await seedPerson(auth);
  const known = await prepareKnown(person);
  const browser = openBrowser(auth);
  const fields = { form_token: formTokenIn(await browser.get('/oauth/sign-in')), ...person };
  const open = shut();
  const crowd = createCrowd();
  const hashed = begun;
  crowd.send(hashesAtOnce + ofNetworks + 1, (n) => attempt(auth, nobody(n), networkOf(n)));
  await crowd.answered(1);
  // The others are queued or hashing, so no further read is made.
  await waitUntil('hashes', () => begun === hashed + hashesAtOnce);
  const before = commands;
  const post = () => browser.post('/oauth/sign-in').set('X-Forwarded-For', networkOf(500)).type('form').send(fields);
  const refused = await post();
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({ 'retry-after': '3', 'x-network-refused-seconds': '1' });
  expect(commands - before).toBe(0);
  const signedIn = known();
  await waitUntil('reads for the known browser', () => commands > before);
  open();
  expect((await signedIn).status).toBe(303);
  expect((await post()).status).toBe(303);
  await crowd.all();
});

test('a throttled attempt is refused again without a read; colleagues and other networks are not', async () => {
  const [person, colleague] = await Promise.all([seedPerson(auth), seedPerson(auth)]);
  const ip = '198.51.100.20';
  for (let n = 0; n < 5; n += 1) await attempt(auth, { ...person, password: 'wrong' }, ip);
  const browser = openBrowser(auth);
  const fields = { form_token: formTokenIn(await browser.get('/oauth/sign-in')), ...person };
  const post = (from: string) => browser.post('/oauth/sign-in').set('X-Forwarded-For', from).type('form').send(fields);
  const first = await post(ip);
  expect(first.status).toBe(429);
  const before = commands;
  const again = await post(ip);
  expect(again.status).toBe(429);
  expect(again.headers).toHaveProperty('retry-after', first.headers['retry-after']);
  expect(again.headers).not.toHaveProperty('x-network-refused-seconds');
  expect(commands - before).toBe(0);
  expect((await attempt(auth, colleague, ip)).status).toBe(303);
  auth.clock.offset += 1_000 * Number(first.headers['retry-after']);
  expect((await post(ip)).status).toBe(303);
});

test('a network that fills the queue makes room for other networks', async () => {
  const person = await seedPerson(auth);
  const open = shut();
  const crowd = createCrowd();
  crowd.send(1 + ofNetworks + 5, (n) => attempt(auth, nobody(n), '198.51.100.7'));
  await crowd.answered(5);
  crowd.send(1, () => attempt(auth, person, '198.51.100.8'));
  // With two concurrent hashes the other network need not wait.
  if (hashesAtOnce === 1) await crowd.answered(6);
  open();
  await crowd.all();
  expect(crowd.statuses().filter((status) => status === 303)).toHaveLength(1);
});

test('when hashes become slow, the queue shrinks after the first slow one', async () => {
  const other = await store.start({ derivePassword });
  took = 50;
  const person = await seedPerson(other);
  took = 1_000;
  await attempt(other, person, networkOf(600));
  const hashes = Math.floor((3_000 * hashesAtOnce) / ((50 + 1_000) / 2));
  const room = Math.ceil((Math.max(8, hashes) * 3) / 4);
  const open = shut();
  const crowd = createCrowd();
  crowd.send(hashesAtOnce + room + 5, (n) => attempt(other, nobody(n), networkOf(n)));
  await crowd.answered(5);
  expect(crowd.statuses()).toEqual(times(5, 429));
  open();
  await crowd.all();
  took = typical;
});
