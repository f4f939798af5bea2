import { none, peopleOf, rowsOf, sendRows } from '../testing/people-files';
import { seedPerson, startStore } from '../testing/start-auth';
import type { Auth, SeededPerson, Store } from '../testing/start-auth';

let store: Store;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(async () => {
  await store.close();
});

const headers = ['ID', 'Name', 'Primary email', 'Source', 'Source ID', 'Authentication ID'];
const at = ({ accountId }: SeededPerson, name: string): string => `${name}@${accountId}.example`;

/** Sends rows of name, address, source ID and authentication ID. */
const send = (ellen: SeededPerson, rows: readonly (readonly [string, string, string, string?])[]) =>
  sendRows(
    auth,
    rowsOf(ellen, [
      headers,
      ...rows.map(([name, address, id, identity = '']) => ['', name, at(ellen, address), 'HR', id, identity]),
    ]),
  );

const shown = async (ellen: SeededPerson) =>
  (await peopleOf(auth, ellen)).slice(1).map(({ name, primaryEmail }) => `${name} ${primaryEmail.split('@')[0]}`);

test('rows about the same person are written one after the other, however they name them', async () => {
  const ellen = await seedPerson(auth);
  const rows = [
    ['Ada', 'ada', '1'],
    ['Ada L.', 'ada', '1'],
    ['Ada Lovelace', 'lovelace', '1'],
    ['Bob', 'bob', '2'],
    // The address that the row above has left.
    ['Ada Byron', 'ada', '3'],
  ] as const;
  expect(await send(ellen, rows)).toEqual({ results: { ...none, created: 3, updated: 2 }, failures: [] });
  expect(await shown(ellen)).toEqual(['Ada Lovelace lovelace', 'Bob bob', 'Ada Byron ada']);
});

test('an address and an identity pass from one row to the next, in the order of the file', async () => {
  const ellen = await seedPerson(auth);
  await send(ellen, [
    ['Leaver', 'desk', '1', 'sub-1'],
    ['Other', 'other', '2', 'sub-2'],
  ]);
  const passed = await send(ellen, [
    ['Leaver', 'leaver', '1', 'sub-3'],
    ['Comer', 'desk', '3', 'sub-1'],
    ['Early', 'early', '4', 'sub-2'],
    ['Other', 'other', '2', 'sub-5'],
  ]);
  expect(passed).toMatchObject({ results: { ...none, created: 1, updated: 2, failures: 1 } });
  expect(passed).toMatchObject({ failures: [{ line: 4, message: 'Authentication ID is already in use' }] });
  expect(await shown(ellen)).toEqual(['Leaver leaver', 'Other other', 'Comer desk']);
});

test('of two rows that disable the last administrators, the first counts', async () => {
  const ellen = await seedPerson(auth);
  const { accountId } = ellen;
  const others = [];
  for (const name of ['Ada', 'Bob'])
    others.push(await seedPerson(auth, { accountId, name, roles: ['account_administrator'] }));
  const ids = [...others.map(({ id }) => id), ellen.id];
  const outcome = await sendRows(auth, rowsOf(ellen, [['ID', 'Disabled'], ...ids.map((id) => [String(id), 'yes'])]));
  expect(outcome).toMatchObject({ results: { ...none, updated: 2, failures: 1 }, failures: [{ line: 4 }] });
});

test('people of one message are each somebody else, with a number of their own', async () => {
  const ellen = await seedPerson(auth);
  const rows = Array.from({ length: 500 }, (_, n) => [`P${n}`, `p${n}`, String(n), `sub-${n}`] as const);
  expect(await send(ellen, rows)).toEqual({ results: { ...none, created: 500 }, failures: [] });
  const people = await auth.connection.collection('people').find({ accountId: ellen.accountId }).toArray();
  expect(new Set(people.map(({ _id }) => Number(_id))).size).toBe(501);
  expect(await send(ellen, rows)).toEqual({ results: { ...none, unchanged: 500 }, failures: [] });
  const renamed = rows.map(([name, ...others]) => [`Dr ${name}`, ...others] as const);
  expect(await send(ellen, renamed)).toEqual({ results: { ...none, updated: 500 }, failures: [] });
});
