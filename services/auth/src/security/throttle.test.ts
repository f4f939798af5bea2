import { attempt, formTokenIn, openBrowser, openSignedIn } from '../testing/browser';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';
import { delayAfter, withFailure } from './throttle';
import type { Throttle } from './throttle';

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

const never = (): never => {
  throw new Error('There is somebody');
};
let lastAddress = 0;
const address = () => `198.51.100.${(lastAddress += 1)}`;

test('after five wrong passwords the right one must wait at this address, not elsewhere, and is accepted after the wait', async () => {
  const person = await seedPerson(auth);
  const ip = address();
  for (let count = 0; count < 5; count += 1) await attempt(auth, { ...person, password: 'wrong' }, ip);
  const throttled = await attempt(auth, person, ip);
  expect(throttled.status).toBe(429);
  expect(Number((throttled.headers as Record<string, string>)['retry-after'])).toBeGreaterThan(0);
  expect((await attempt(auth, person, address())).status).toBe(303);
  auth.clock.offset = 2_000;
  expect((await attempt(auth, person, ip)).status).toBe(303);
});

test('all addresses of an IPv6 network count as one', async () => {
  const person = await seedPerson(auth);
  for (let host = 1; host <= 5; host += 1) {
    const { status } = await attempt(auth, { ...person, password: 'wrong' }, `2001:db8:5:6::${host}`);
    expect(status).toBe(401);
  }
  expect((await attempt(auth, person, '2001:db8:5:6:ffff::1')).status).toBe(429);
  expect((await attempt(auth, person, '2001:db8:5:7::1')).status).toBe(303);
});

describe('guessing from many addresses', () => {
  let lastNetwork = 0;
  const network = () => `2001:db8:77:${(lastNetwork += 1).toString(16)}::1`;
  /** Guesses until the next attempt must wait almost a minute; returns the number of compared guesses and the waits. */
  async function besiege(email: string) {
    const waits: number[] = [];
    let judged = 0;
    while ((waits.at(-1) ?? 0) <= 50) {
      const { status, headers } = await attempt(auth, { email, password: 'wrong' }, network());
      if (status === 401) {
        judged += 1;
        expect(judged).toBeLessThan(65);
        continue;
      }
      const wait = Number((headers as Record<string, string>)['retry-after']);
      waits.push(wait);
      if (wait <= 50) auth.clock.offset += 1_000 * wait;
    }
    return { judged, waits };
  }
  /** A browser in which the person has signed in and out again. */
  async function openKnown(person: SeededPerson) {
    const browser = await openSignedIn(auth, person);
    const form_token = formTokenIn(await browser.get('/oauth/profile'));
    await browser.post('/oauth/sign-out').type('form').send({ form_token }).expect(303);
    return browser;
  }

  test.each(['known', 'unknown'])(
    'waits for up to a minute, for a person who is %s, and the right password passes after it',
    async (which) => {
      const person = await seedPerson(auth);
      const { judged, waits } = await besiege(which === 'known' ? person.email : `nobody.${person.email}`);
      expect(judged).toBeGreaterThanOrEqual(50);
      expect(Math.max(...waits)).toBeLessThanOrEqual(60);
      expect((await attempt(auth, person, network())).status).toBe(which === 'known' ? 429 : 303);
      auth.clock.offset += 60_000;
      expect((await attempt(auth, person, network())).status).toBe(303);
    },
  );

  test('does not throttle people in a known browser, which has its own count', async () => {
    const person = await seedPerson(auth);
    const [one, other] = [await openKnown(person), await openKnown(person)];
    await besiege(person.email);
    expect((await attempt(auth, person, network())).status).toBe(429);
    expect((await attempt(auth, person, network(), one)).status).toBe(303);
    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1)
      statuses.push((await attempt(auth, { ...person, password: 'wrong' }, network(), other)).status);
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses).toContain(429);
  });

  test("gains nothing from another person's browser or a forged cookie", async () => {
    const person = await seedPerson(auth);
    const foreign = await openKnown(await seedPerson(auth));
    await besiege(person.email);
    expect((await attempt(auth, person, network(), foreign)).status).toBe(429);
    for (const planted of ['x', '0badc0de.AAAA', `${'a'.repeat(8)}.${'b'.repeat(100)}`]) {
      const browser = openBrowser(auth);
      browser.jar.setCookie(`known-browser=${planted}`);
      expect((await attempt(auth, person, network(), browser)).status).toBe(429);
    }
  });
});

test('gains nothing from concurrent guesses', async () => {
  const person = await seedPerson(auth);
  const ip = address();
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => attempt(auth, { ...person, password: 'wrong' }, ip)),
  );
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
  expect(answers.every(({ status }) => status === 401 || status === 429 || status === 503)).toBe(true);
});

test('many failures throttle an address by seconds, successes do not, and everybody can sign in', async () => {
  const replica = await store.start({ database: auth.database });
  const ip = address();
  const people = await Promise.all([1, 2, 3].map(() => seedPerson(auth)));
  const waits: number[] = [];
  let failures = 0;
  while ((waits.at(-1) ?? 0) < 4) {
    const wrong = { email: `nobody-${failures}@nowhere.example`, password: 'wrong' };
    const { status, headers } = await attempt(failures % 2 ? replica : auth, wrong, ip);
    if (status === 401) failures += 1;
    else waits.push(Number((headers as Record<string, string>)['retry-after']));
    if (waits.length === 0) expect(failures).toBeLessThan(150);
    else expect(failures).toBeGreaterThanOrEqual(100);
    if (status === 429 && (waits.at(-1) ?? 0) < 4) auth.clock.offset += 2_000;
  }
  for (const on of [auth, replica]) {
    const { status, headers } = await attempt(on, people[0] ?? never(), ip);
    expect(status).toBe(429);
    expect(Number((headers as Record<string, string>)['retry-after'])).toBeLessThanOrEqual(5);
  }
  auth.clock.offset += 5_000;
  for (const person of [...people, ...people]) expect((await attempt(auth, person, ip)).status).toBe(303);
});

test('successful sign-ins are not counted', async () => {
  const ip = address();
  const person = await seedPerson(auth);
  for (let count = 0; count < 30; count += 1) expect((await attempt(auth, person, ip)).status).toBe(303);
  const left = await auth.connection
    .collection('sign_in_throttles')
    .countDocuments({ _id: { $regex: `${ip}$|${person.email}` } as never });
  expect(left).toBe(0);
});

test('failures fade: an address after minutes, a person after hours', () => {
  const at = (minutes: number) => new Date(minutes * 60_000);
  const failedTimes = (times: number, kind: 'address' | 'person') =>
    Array.from({ length: times }).reduce<Throttle | undefined>(
      (before) => withFailure(before, 'key', kind, at(0)),
      undefined,
    );
  expect(failedTimes(1000, 'address')).toMatchObject({ failures: 1000, openAt: new Date(5_000) });
  expect(withFailure(failedTimes(150, 'address'), 'key', 'address', at(10))).toMatchObject({ openAt: at(10) });
  expect(failedTimes(20, 'person')).toMatchObject({ openAt: at(15) });
  expect(withFailure(failedTimes(20, 'person'), 'key', 'person', at(5 * 60)).failures).toBeLessThan(5);
});

test('the delay doubles up to 15 minutes and no further', () => {
  expect([1, 4, 5, 6, 7, 14, 15, 1000].map((attempts) => delayAfter(attempts, 'person'))).toEqual([
    0, 0, 1_000, 2_000, 4_000, 512_000, 900_000, 900_000,
  ]);
});
