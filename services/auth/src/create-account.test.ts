import { randomBytes } from 'node:crypto';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { locationOf, openBrowser, signIn } from './testing/browser';
import { introspect } from './testing/client';
import { tokenOf } from './testing/caller';
import type { Auth } from './testing/start-auth';
import { seedPerson, startStore } from './testing/start-auth';
import { parseCommand } from './commands';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());

const fresh = (): string => `a${randomBytes(5).toString('hex')}`;
const password = 'a password of sufficient length';
const run = (args: readonly string[], personPassword?: string) =>
  parseCommand(args, personPassword)(auth.app.operator, 'https://itsm.example');
const create = (account: string, more: readonly string[] = [], personPassword?: string) =>
  run(['create-account', '--account', account, ...more], personPassword);
const stored = (account: string) =>
  auth.connection.collection<{ _id: string } & Record<string, unknown>>('accounts').findOne({ _id: account });
const entriesOf = (account: string) =>
  auth.connection.collection('security_log').countDocuments({ accountIds: account });

test('ensuring an account again leaves members that are not named unchanged', async () => {
  const parent = await seedPerson(auth);
  const id = fresh();
  const { operator } = auth.app;
  const whole = { id, name: 'Branch', customUrl: 'https://branch.example/', directoryAccountId: parent.accountId };
  expect(await operator.hasAccount(id)).toBe(false);
  await operator.ensureAccount(whole);
  expect(await operator.hasAccount(id)).toBe(true);
  await operator.ensureAccount({ id });
  await operator.ensureAccount({ id, name: 'Branch' });
  expect(await stored(id)).toMatchObject({ name: 'Branch', customUrl: whole.customUrl, version: 1 });
  expect(await stored(id)).toMatchObject({ directoryAccountId: parent.accountId });
  await operator.ensureAccount({ id, customUrl: null });
  expect(await stored(id)).toMatchObject({ customUrl: null, directoryAccountId: parent.accountId, version: 2 });
});

test('ensuring a person again removes no role in any account', async () => {
  const person = await seedPerson(auth, { roles: ['account_administrator', 'auditor'] });
  const elsewhere = await seedPerson(auth);
  const { operator } = auth.app;
  await operator.giveRoles(person.accountId, person.email, elsewhere.accountId, ['specialist']);
  await operator.ensurePerson({
    accountId: person.accountId,
    name: 'Ellen Brown',
    primaryEmail: person.email,
    password,
    roles: ['account_administrator', 'specialist'],
  });
  expect((await introspect(auth, await tokenOf(auth, person))).claims['accounts']).toEqual({
    [person.accountId]: ['account_administrator', 'auditor', 'specialist'],
    [elsewhere.accountId]: ['specialist'],
  });
});

test('an account with a directory account is made with one command, and its first administrator signs in for it', async () => {
  const directory = await seedPerson(auth);
  const id = fresh();
  const options = ['--name', 'Labs', '--directory', directory.accountId, '--custom-url', 'https://labs.example/'];
  const said = await create(id, [...options, '--administrator', directory.email.toUpperCase()]);
  expect(said).toBe(
    `Account ${id} is ready, with the directory account ${directory.accountId}; Ellen Brown (person ${directory.id}) administers it and can sign in at https://itsm.example/oauth/sign-in`,
  );
  expect(await stored(id)).toMatchObject({
    name: 'Labs',
    customUrl: 'https://labs.example/',
    directoryAccountId: directory.accountId,
    version: 1,
  });
  const { claims } = await introspect(auth, await tokenOf(auth, directory));
  expect(claims['accounts']).toMatchObject({ [id]: ['account_administrator', 'specialist'] });
  const signedIn = await signIn(openBrowser(auth), directory);
  expect([signedIn.status, locationOf(signedIn)]).toEqual([303, '/oauth/profile']);
  const published = await waitUntil('the other services', () =>
    auth.published.accounts.find((account) => account.id === id),
  );
  expect(published).toMatchObject({ directoryAccountId: directory.accountId, name: 'Labs' });
});

test('an account without directory account gets an administrator with a password; a repeat changes only the password', async () => {
  const id = fresh();
  const email = `ada@${id}.example`;
  const options = ['--name', 'Analytical', '--administrator', email, '--administrator-name', 'Ada Adams'];
  expect(await create(id, options, password)).toMatch(/^Account \w+ is ready; Ada Adams \(person \d+\) administers it/);
  const entries = await entriesOf(id);
  await auth.connection.collection<{ _id: string }>('accounts').updateOne({ _id: id }, { $set: { name: 'Renamed' } });
  await create(id, options.slice(2), `${password}!`);
  expect(await stored(id)).toMatchObject({ name: 'Renamed', version: 1 });
  expect(await entriesOf(id)).toBe(entries + 1);
  const person = { id: 0, accountId: id, email, password: `${password}!` };
  expect((await signIn(openBrowser(auth), person)).status).toBe(303);
});

test('without a name the account is named by its id, and without a change nothing is written', async () => {
  const id = fresh();
  expect(await create(id)).toBe(`Account ${id} is ready`);
  const entries = await entriesOf(id);
  await create(id);
  await create(id, ['--name', id]);
  expect(await stored(id)).toMatchObject({ name: id, customUrl: null, directoryAccountId: null, version: 1 });
  expect(await entriesOf(id)).toBe(entries);
});

test('eight concurrent calls make one account, one administrator and one log entry of each', async () => {
  const id = fresh();
  const email = `ada@${id}.example`;
  const options = ['--name', 'Once', '--administrator', email, '--administrator-name', 'Ada Adams'];
  await Promise.all(Array.from({ length: 8 }, () => create(id, options, password)));
  expect(await stored(id)).toMatchObject({ name: 'Once', version: 1 });
  expect(await auth.connection.collection('people').countDocuments({ accountId: id })).toBe(1);
  for (const event of ['account.created', 'person.created']) {
    const filter = { accountIds: id, event };
    expect([event, await auth.connection.collection('security_log').countDocuments(filter)]).toEqual([event, 1]);
  }
});

test.each<[string, readonly string[], string]>([
  [
    'Widget',
    [],
    'Account ID must be of at most 63 lower-case letters, digits and hyphens, and begin with a letter or digit',
  ],
  ['wdc.example', [], 'Account ID must be of'],
  ['x'.repeat(64), [], 'Account ID must be of'],
  ['new', ['--name', ' '], 'Name is required'],
  ['new', ['--name', 'x'.repeat(256)], 'Name is too long (at most 255 characters)'],
  ['new', ['--custom-url', 'http://wdc.example'], 'Custom URL is not a valid https address'],
  ['new', ['--directory', 'nobody-there'], 'Directory account nobody-there does not exist'],
  ['new', ['--directory', 'new'], 'Directory account must be another account'],
  ['new', ['--directory', 'A b'], 'Directory account A b does not exist'],
  ['new', ['--administrator', 'ellen@wdc.example'], 'Account new has nobody with the address ellen@wdc.example'],
  ['new', ['--administrator', 'no address', '--administrator-name', 'Ada'], 'Administrator must be an e-mail address'],
])('the account %s with %j is refused in one sentence, and nothing is made', async (account, options, sentence) => {
  const before = await auth.connection.collection('accounts').countDocuments();
  await expect(async () => create(account, options, undefined)).rejects.toThrow(sentence);
  expect(await auth.connection.collection('accounts').countDocuments()).toBe(before);
});

test('an administrator who is not of the directory account, or whose password is too short, is refused', async () => {
  const directory = await seedPerson(auth);
  const options = ['--directory', directory.accountId, '--administrator', 'nobody@wdc.example'];
  await expect(create(fresh(), options)).rejects.toThrow(
    `nor its directory account ${directory.accountId} has anybody with the address nobody@wdc.example`,
  );
  const own = ['--administrator', 'ada@a.example', '--administrator-name', 'Ada'];
  await expect(create(fresh(), own, 'short')).rejects.toThrow('PERSON_PASSWORD must have 12 to 256 characters');
});

test('directory accounts cannot form a cycle', async () => {
  const [top, middle, low] = [fresh(), fresh(), fresh()];
  await create(top);
  await create(middle, ['--directory', top]);
  await create(low, ['--directory', middle]);
  await expect(create(top, ['--directory', low])).rejects.toThrow(
    `Directory account ${low} has ${top} as its own directory account, directly or by way of others`,
  );
  expect(await stored(top)).toMatchObject({ directoryAccountId: null });
});

test.each([
  [[]],
  [['create-account']],
  [['create-account', '--account', 'a', 'b']],
  [['make-account', '--account', 'a']],
  [['create-account', '--account', 'a', '--administrator-name', 'Ada']],
  [['disable-account', '--account', 'a', '--name', 'x']],
  [['set-password', '--account', 'a', '--email', 'x@y.example']],
  [['remove-second-factors', '--account', 'a']],
])('the arguments %j are answered with how it is used', (args) => {
  expect(() => parseCommand(args, undefined)).toThrow(/^Usage, after/);
});
