import type { Role } from '@itsm/shared/contracts/directory';
import { introspect } from '../testing/client';
import { tokenOf } from '../testing/caller';
import { failuresIn, none, peopleOf, rowsOf, sendRows } from '../testing/people-files';
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

const gone = { problem: 'Who has sent the file may not change people any more' };
const headers = ['Name', 'Primary email', 'Roles'];
const row = ({ accountId }: SeededPerson, name: string, roles = '') => [name, `${name}@${accountId}.example`, roles];

/** A colleague with one role, and how they import. */
async function colleague(ellen: SeededPerson, role: Role) {
  const { accountId } = ellen;
  const person = await seedPerson(auth, { accountId, name: role, roles: [role] });
  return { person, send: (file: string[][]) => sendRows(auth, rowsOf(person, file, { importer: { roles: [role] } })) };
}

test('a directory administrator imports people, but decides nothing about administrators', async () => {
  const ellen = await seedPerson(auth);
  const { send } = await colleague(ellen, 'directory_administrator');
  const file = [
    headers,
    row(ellen, 'ada', 'specialist'),
    row(ellen, 'eve', 'account_administrator'),
    ['Ellen Brown', ellen.email, 'account_administrator'],
    ['Not Ellen', ellen.email, 'account_administrator'],
    ['Ellen Brown', ellen.email, 'auditor'],
  ];
  const outcome = await send(file);
  expect(outcome).toMatchObject({ results: { ...none, created: 1, unchanged: 1, failures: 3 } });
  expect(failuresIn(outcome)).toEqual([
    [3, 'Roles', 'Only an account administrator can give or take the role account_administrator'],
    [5, 'Name', 'Name of an administrator can only be changed by an account administrator'],
    [6, 'Roles', 'Only an account administrator can give or take the role account_administrator'],
  ]);
});

test('the roles are those of then that the importer still has', async () => {
  const ellen = await seedPerson(auth);
  const { person } = await colleague(ellen, 'specialist');
  const claimed = { importer: { roles: ['account_administrator', 'specialist'] as Role[] } };
  expect(await sendRows(auth, rowsOf(person, [headers, row(ellen, 'ada')], claimed))).toEqual(gone);
  const { send } = await colleague(ellen, 'account_administrator');
  await send([
    ['ID', 'Disabled'],
    [String(ellen.id), 'yes'],
  ]);
  expect(await sendRows(auth, rowsOf(ellen, [headers, row(ellen, 'ada')]))).toEqual(gone);
  // Somebody of another account has no role in this one.
  const stranger = await seedPerson(auth);
  const here = rowsOf(stranger, [headers, row(ellen, 'ada')], { accountId: ellen.accountId });
  expect(await sendRows(auth, here)).toEqual(gone);
});

test('the last administrator stays one; importers may end their own access, which ends the import', async () => {
  const ellen = await seedPerson(auth);
  const file = [
    ['ID', 'Disabled', 'Roles'],
    [String(ellen.id), 'yes', 'account_administrator'],
    [String(ellen.id), 'no', ''],
  ];
  const outcome = await sendRows(auth, rowsOf(ellen, file));
  const sentence = 'An account needs at least one enabled account administrator';
  expect(failuresIn(outcome)).toEqual([
    [2, 'Disabled', sentence],
    [3, 'Roles', sentence],
  ]);
  const { person, send } = await colleague(ellen, 'account_administrator');
  const token = await tokenOf(auth, person);
  const itself = await send([
    ['ID', 'Disabled'],
    [String(person.id), 'yes'],
  ]);
  expect(itself).toMatchObject({ results: { ...none, updated: 1 } });
  expect(await introspect(auth, token)).toMatchObject({ active: false });
  expect(await send([headers, row(ellen, 'late')])).toEqual(gone);
});

test('who signed in long before they sent the file makes nobody an administrator by it', async () => {
  const ellen = await seedPerson(auth);
  const { accountId } = ellen;
  const file = [headers, row(ellen, 'ada', 'account_administrator'), row(ellen, 'bob', 'specialist')];
  const sent = (authenticatedAt: string) =>
    rowsOf(ellen, file, { queuedAt: '2026-03-18T19:00:00.000Z', importer: { kind: 'access', authenticatedAt } });
  const late = await sendRows(auth, sent('2026-03-18T18:00:00.000Z'));
  expect(failuresIn(late)).toEqual([[2, 'Roles', expect.stringContaining('sign in again')]]);
  // It was recent when the file was sent, however long ago that is.
  expect(await sendRows(auth, sent('2026-03-18T18:45:00.000Z'))).toMatchObject({
    results: { created: 1, unchanged: 1 },
  });
  const made = (await peopleOf(auth, ellen)).find(({ name }) => name === 'ada');
  expect(made).toMatchObject({ primaryEmail: `ada@${accountId}.example`, roles: ['account_administrator'] });
});

test('people of the directory account are theirs: here only their roles change', async () => {
  const parent = await seedPerson(auth);
  const accountId = `child-of-${parent.accountId}`;
  await auth.app.operator.ensureAccount({ id: accountId, name: 'Child', directoryAccountId: parent.accountId });
  const ellen = await seedPerson(auth, { accountId });
  const file = [
    ['ID', 'Name', 'Roles'],
    [String(parent.id), 'Ellen Brown', 'specialist'],
    [String(parent.id), 'Renamed', 'specialist'],
  ];
  const outcome = await sendRows(auth, rowsOf(ellen, file));
  expect(outcome).toMatchObject({ results: { ...none, updated: 1, failures: 1 } });
  expect(failuresIn(outcome)).toEqual([[3, 'Name', "Name can only be changed in the person's account"]]);
});
