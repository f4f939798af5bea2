import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { personColumns } from '@itsm/shared/contracts/directory';
import { inputName, restName } from '@itsm/shared/declared/names';
import { writableFields } from '@itsm/shared/declared/language';
import { personType } from '../directory/person';
import { nodeId } from '../testing/caller';
import { entriesOf, failuresIn, none, peopleOf, rowsOf, sendRows } from '../testing/people-files';
import { seedPerson, startStore } from '../testing/start-auth';
import type { Auth, Store } from '../testing/start-auth';

let store: Store;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(async () => {
  await store.close();
});

test('makes people with what the file says, and changes those that it has', async () => {
  const ellen = await seedPerson(auth);
  const file = [
    [
      'name',
      'PRIMARY_EMAIL',
      'Authentication ID',
      'Roles',
      'Disabled',
      'Locale',
      'time zone',
      'Source',
      'sourceid',
      'Verified',
    ],
    [
      'Ada',
      `ada@${ellen.accountId}.example`,
      'sub-1',
      'specialist, auditor',
      'no',
      'nl-NL',
      'Europe/Amsterdam',
      'HR',
      '1',
      'yes',
    ],
    ['Bob', `bob@${ellen.accountId}.example`, '', '', 'yes', '', '', 'HR', '2', ''],
  ];
  expect(await sendRows(auth, rowsOf(ellen, file))).toEqual({ results: { ...none, created: 2 }, failures: [] });
  const ada = {
    name: 'Ada',
    primaryEmail: `ada@${ellen.accountId}.example`,
    verified: false,
    roles: ['specialist', 'auditor'],
    disabled: false,
    locale: 'nl-NL',
    timeZone: 'Europe/Amsterdam',
    source: 'HR',
    sourceID: '1',
    authenticationID: 'sub-1',
  };
  const bob = { name: 'Bob', disabled: true, roles: [], locale: 'en', timeZone: 'UTC', authenticationID: null };
  expect(await peopleOf(auth, ellen)).toEqual([
    expect.anything(),
    expect.objectContaining(ada),
    expect.objectContaining(bob),
  ]);

  // The same file changes nothing; a row without a source is that of its address, in any case.
  expect(await sendRows(auth, rowsOf(ellen, file))).toEqual({ results: { ...none, unchanged: 2 }, failures: [] });
  const renamed = [
    ['Primary email', 'Name'],
    [`ADA@${ellen.accountId}.example`, 'Ada Lovelace'],
  ];
  expect(await sendRows(auth, rowsOf(ellen, renamed))).toMatchObject({ results: { ...none, updated: 1 } });
  const [, found] = await peopleOf(auth, ellen);
  expect(found).toMatchObject({ ...ada, name: 'Ada Lovelace', primaryEmail: `ADA@${ellen.accountId}.example` });
});

test('a row is the person of its ID, else of its source, else of its address', async () => {
  const ellen = await seedPerson(auth);
  const at = (name: string) => `${name}@${ellen.accountId}.example`;
  const first = [
    ['Name', 'Primary email', 'Source', 'Source ID'],
    ['Ada', at('ada'), 'HR', '1'],
    ['Bob', at('bob'), '', ''],
    ['Cy', at('cy'), 'HR', '3'],
  ];
  await sendRows(auth, rowsOf(ellen, first));
  const [, ada, bob, cy] = await peopleOf(auth, ellen);
  const second = [
    ['ID', 'Name', 'Primary email', 'Source', 'Source ID'],
    [ada?.id ?? '', 'By ID', at('other'), 'HR', '9'],
    ['', 'By address', at('BOB'), 'HR', '2'],
    ['', 'By source', at('new-cy'), 'HR', '3'],
    // The address has passed on, but the person who has it is another one.
    ['', 'New', at('bob'), 'HR', '4'],
    ['999999', 'Nobody', at('nobody'), '', ''],
    ['x', 'Nobody', at('nobody'), '', ''],
  ];
  const outcome = await sendRows(auth, rowsOf(ellen, second));
  expect(outcome).toMatchObject({ results: { ...none, updated: 3, failures: 3 } });
  expect(failuresIn(outcome)).toEqual([
    [5, 'Primary email', 'Primary email is already in use'],
    [6, 'ID', 'Id was not found'],
    [7, 'ID', 'Id was not found'],
  ]);
  expect(await peopleOf(auth, ellen)).toEqual([
    expect.anything(),
    expect.objectContaining({ id: ada?.id, name: 'By ID', primaryEmail: at('other'), sourceID: '9' }),
    expect.objectContaining({ id: bob?.id, name: 'By address', primaryEmail: at('BOB'), sourceID: '2' }),
    expect.objectContaining({ id: cy?.id, name: 'By source', primaryEmail: at('new-cy'), sourceID: '3' }),
  ]);
});

test('an ID, a source and an address of another account are nobody of this one', async () => {
  const [ellen, other] = [await seedPerson(auth), await seedPerson(auth)];
  const file = [
    ['ID', 'Name', 'Primary email', 'Source', 'Source ID'],
    [String(other.id), 'Taken over', 'taken@over.example', '', ''],
    [nodeId('Person', other.id), 'Taken over', 'taken@over.example', '', ''],
    ['', 'Namesake', other.email, 'HR', '1'],
  ];
  await sendRows(
    auth,
    rowsOf(other, [
      ['Source', 'Source ID', 'Primary email'],
      ['HR', '1', other.email],
    ]),
  );
  const outcome = await sendRows(auth, rowsOf(ellen, file));
  expect(outcome).toMatchObject({ results: { ...none, created: 1, failures: 2 } });
  expect(failuresIn(outcome)).toEqual([
    [2, 'ID', 'Id was not found'],
    [3, 'ID', 'Id was not found'],
  ]);
  expect(await peopleOf(auth, other)).toEqual([
    expect.objectContaining({ name: 'Ellen Brown', primaryEmail: other.email }),
  ]);
});

test('values that no person can have are refused, with the column as the file names it', async () => {
  const ellen = await seedPerson(auth);
  const file = [
    ['name', 'E-Mail?', 'roles', 'Time_Zone', 'Disabled'],
    ['a'.repeat(10_000), 'a@b.example', 'end_user', '', ''],
    ['a\u0007b', 'a2@b.example', 'end_user', '', ''],
    ['one\ntwo', 'a3@b.example', 'end_user', '', ''],
    ['=HYPERLINK("x")', 'a4@b.example', 'end_user', '', ''],
    ['No role', 'a5@b.example', 'end_user;admin', '', ''],
    ['', 'a6@b.example', '', '', ''],
    ['No address', '', '', '', ''],
    ['No address', 'nowhere', '', '', ''],
    ['No zone', 'a7@b.example', '', 'Mars/Olympus', ''],
    ['No flag', 'a8@b.example', '', '', 'perhaps'],
    ['Few cells', 'a9@b.example'],
  ].map((cells, row) => (row === 0 ? cells.map((cell) => cell.replace('E-Mail?', 'primaryEmail')) : cells));
  const outcome = await sendRows(auth, rowsOf(ellen, file));
  expect(outcome).toMatchObject({ results: { ...none, created: 1, failures: 10 } });
  expect(failuresIn(outcome)).toEqual([
    [2, 'name', 'Name is too long (at most 255 characters)'],
    [3, 'name', expect.stringMatching(/^Name /)],
    [4, 'name', expect.stringMatching(/^Name /)],
    [6, 'roles', expect.stringMatching(/^Role is not one of account_administrator, /)],
    [7, 'name', 'Name is required'],
    [8, 'primaryEmail', 'Primary email is required'],
    [9, 'primaryEmail', 'Primary email is not an e-mail address'],
    [10, 'Time_Zone', 'Time zone is not a name such as Europe/Amsterdam'],
    [11, 'Disabled', 'Disabled is not true or false'],
    [12, null, 'The line has 2 cells, but there are 5 columns'],
  ]);
});

test('unknown columns and those that are there twice fail the file', async () => {
  const ellen = await seedPerson(auth);
  const problemOf = async (...headers: string[]) => sendRows(auth, rowsOf(ellen, [headers]));
  expect(await problemOf('Name', 'Shoe size')).toEqual({
    problem: `Unknown columns: Shoe size. Known are: id, name, primary_email, authenticationID, roles, disabled, locale, time_zone, source, sourceID`,
  });
  expect(await problemOf('Time Zone', 'time_zone')).toEqual({ problem: 'The column time_zone is there twice' });
  const passedOver = ['ID', 'Verified', 'Support ID', 'Account', 'Created at', 'Updated At'];
  expect(await problemOf(...passedOver)).toEqual({ results: none, failures: [] });
});

test('a dry run writes nothing, and says what the import would do', async () => {
  const ellen = await seedPerson(auth);
  const at = (name: string) => `${name}@${ellen.accountId}.example`;
  await sendRows(
    auth,
    rowsOf(ellen, [
      ['Name', 'Primary email'],
      ['Ada', at('ada')],
    ]),
  );
  const file = [
    ['Name', 'Primary email', 'Roles'],
    ['Ada', at('ada'), 'end_user'],
    ['Ada L.', at('ada'), 'end_user'],
    ['Bob', at('bob'), ''],
    ['Bad', 'bad', ''],
    ['Ellen', ellen.email, 'auditor'],
  ];
  const before = await peopleOf(auth, ellen);
  const outcome = await sendRows(auth, rowsOf(ellen, file, { isDryRun: true }));
  expect(outcome).toMatchObject({ results: { created: 1, updated: 1, unchanged: 1, failures: 2 } });
  expect(failuresIn(outcome)).toContainEqual([
    6,
    'Roles',
    'An account needs at least one enabled account administrator',
  ]);
  expect(await peopleOf(auth, ellen)).toEqual(before);
  expect(await entriesOf(auth, ellen.accountId, 'person.updated')).toEqual([]);
});

test('files, exports and their page have a column for each field of a person that can be written', async () => {
  const ellen = await seedPerson(auth);
  const fields = writableFields(personType);
  const outcome = await sendRows(auth, rowsOf(ellen, [['no such column']]));
  const names = /Known are: (.*)$/.exec('problem' in outcome ? outcome.problem : '')?.[1]?.split(', ');
  expect(names).toEqual(['id', ...fields.map((field) => restName(inputName(field)))]);
  const labels = fields.map(({ label }) => label);
  expect(Object.entries(personColumns)).toEqual(fields.map(({ name, label }) => [name, label]));
  const page = readFileSync(join(__dirname, '../../../../docs/api/import-and-export.md'), 'utf8');
  const said = /^\* The columns are (`Name`.*?), beside `ID`/m.exec(page)?.[1] ?? '';
  expect([...said.matchAll(/`([^`]+)`/g)].map(([, label]) => label)).toEqual(labels);
});
