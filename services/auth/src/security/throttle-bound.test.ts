import { generatedPart, markdownTable } from '@itsm/shared/testing/generated-part';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { attempt } from '../testing/browser';
import type { Auth } from '../testing/start-auth';
import { seedPerson, startStore } from '../testing/start-auth';
import { delayAfter, isBounded, throttleKinds, withFailure } from './throttle';
import type { Throttle, ThrottleKind } from './throttle';
import { bucketOf, buckets, mostOfKind } from './throttle.repository';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
});
beforeEach(async () => {
  auth = await store.start();
});
afterAll(() => store.close());

interface Stored extends Omit<Throttle, 'key'> {
  readonly _id: string;
  readonly bucket?: string;
}

afterEach(() => {
  auth.clock.offset = 0;
});
const throttles = () => auth.connection.collection<Stored>('sign_in_throttles');
const countOf = (kind: ThrottleKind) => throttles().countDocuments({ bucket: { $regex: `^${kind} ` } });

/** Fills a kind up to its bound with throttles of strangers, of so many failures each. */
async function fill(kind: ThrottleKind, failures = 1): Promise<void> {
  const { key: _key, ...counted } = counts(failures, kind, auth.now());
  const all = Array.from({ length: mostOfKind }, (_none, n) => ({
    ...counted,
    _id: `${kind} of stranger ${n}`,
    bucket: bucketOf(kind, n % buckets),
  }));
  await throttles().insertMany(all, { ordered: false });
}

function counts(failures: number, kind: ThrottleKind, now: Date): Throttle {
  const first = withFailure(undefined, 'key', kind, now);
  return Array.from({ length: failures - 1 }).reduce<Throttle>(
    (before) => withFailure(before, 'key', kind, now),
    first,
  );
}

const network = (n: number): string => `2001:db8:99:${n.toString(16)}::1`;
const unknownClient = ({ http }: Auth, from: string) =>
  http
    .post('/oauth/token')
    .set('X-Forwarded-For', from)
    .auth('invented', 'x')
    .type('form')
    .send({ grant_type: 'client_credentials' });

test('when full of the counters of strangers, guesses are still counted, and nobody is locked out', async () => {
  for (const kind of ['here', 'nobody', 'address'] as const) await fill(kind, 3);
  const person = await seedPerson(auth);
  for (let n = 0; n < 5; n += 1) {
    expect((await attempt(auth, { ...person, password: 'wrong' }, network(1))).status).toBe(401);
    // Newer ones of strangers displace others, not that of the person's attacker.
    expect((await attempt(auth, { email: `nobody-${n}@x.example`, password: 'wrong' }, network(2 + n))).status).toBe(
      401,
    );
  }
  expect((await attempt(auth, person, network(1))).status).toBe(429);
  expect((await attempt(auth, person, network(100))).status).toBe(303);
  for (const kind of ['here', 'nobody', 'address'] as const)
    expect(await countOf(kind)).toBeLessThanOrEqual(mostOfKind);
});

test('the counters nearest to their expiry make room, so that a flood of new ones removes none that delays', async () => {
  await fill('client');
  const replica = await store.start({ database: auth.database });
  for (let n = 0; n < 10; n += 1) expect((await unknownClient(auth, network(1))).status).toBe(401);
  expect((await unknownClient(replica, network(1))).status).toBe(429);
  auth.clock.offset = 1;
  for (let many = 0; many < 1_500; many += 30) {
    const one = (n: number) => unknownClient(n % 2 === 0 ? auth : replica, network(1_000 + many + n));
    const answers = await Promise.all(Array.from({ length: 30 }, (_none, n) => one(n)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  }
  expect((await unknownClient(auth, network(1))).status).toBe(429);
  expect(await countOf('client')).toBeLessThanOrEqual(mostOfKind);
});

test('a first failure sends the same commands for a person as for an unknown address, so that its time does not tell them apart', async () => {
  const commands: string[] = [];
  const connect = async (url: string) => {
    const connection = await connectPatiently(url, { monitorCommands: true });
    connection.getClient().on('commandStarted', ({ command, commandName }) => {
      if (command[commandName] === 'sign_in_throttles') commands.push(commandName);
    });
    return connection;
  };
  const watched = await store.start({ connect });
  const person = await seedPerson(watched);
  const sentBy = async (email: string, from: string) => {
    commands.length = 0;
    expect((await attempt(watched, { email, password: 'wrong' }, from)).status).toBe(401);
    return [...commands];
  };
  const sent = await sentBy(person.email, network(1));
  expect(await sentBy(`nobody.${person.email}`, network(2))).toEqual(sent);
  expect(sent).toContain('insert');
});

test('the counters of people are not among those that make room', async () => {
  const person = await seedPerson(auth);
  await attempt(auth, { ...person, password: 'wrong' }, network(1));
  const stored = await throttles().find().toArray();
  expect(
    stored.map(({ _id, bucket = '' }) => `${_id.split(' ')[0] ?? ''}: ${bucket.split(' ')[0] ?? ''}`).sort(),
  ).toEqual(['address: address', 'anywhere: ', 'person: here']);
});

test('a counter expires when less than half a failure is left, and never while it delays', () => {
  const now = new Date(0);
  const minutes = ({ expiresAt }: Throttle): number => expiresAt.getTime() / 60_000;
  expect(minutes(counts(1, 'address', now))).toBe(10);
  expect(minutes(counts(1, 'here', now))).toBe(120);
  expect(minutes(counts(8, 'here', now))).toBe(480);
  for (const kind of throttleKinds)
    for (const failures of [1, 5, 31, 1_000])
      expect(counts(failures, kind, now).expiresAt.getTime()).toBeGreaterThanOrEqual(delayAfter(failures, kind));
});

test('the page for operators has the bounds of the counters (UPDATE_DOCS=1 writes them)', () => {
  const whose: Partial<Record<ThrottleKind, string>> = {
    here: 'a person, or an address that no person has, at a network',
    nobody: 'an address that no person has, over all networks',
    client: 'a client at a network',
    address: 'a network: sign-in',
    mails: 'a network: requests for a reset link',
  };
  const bounded = throttleKinds.filter(isBounded);
  expect(Object.keys(whose).sort()).toEqual([...bounded].sort());
  const lifetime = (kind: ThrottleKind) => counts(1, kind, new Date(0)).expiresAt.getTime() / 60_000;
  const table = markdownTable([
    ['Counters of', 'At most', 'One failure is kept for'],
    ...bounded.map((kind) => [whose[kind] ?? '', mostOfKind.toLocaleString('en-US'), `${lifetime(kind)} minutes`]),
  ]);
  expect(generatedPart('docs/operations.md', 'counters of attempts', table)).toBe(table);
});
