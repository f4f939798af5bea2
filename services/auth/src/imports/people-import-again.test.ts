import { peopleRowsRead } from '@itsm/shared/contracts/imports';
import type { Rests } from '@itsm/shared/base/concurrency/rests';
import { entriesOf, none, peopleOf, rowsOf, sendRows } from '../testing/people-files';
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

const headers = ['Name', 'Primary email'];
const at = ({ accountId }: SeededPerson, name: string): string => `${name}@${accountId}.example`;

test('a message that comes again is answered the same, whatever has happened since', async () => {
  const ellen = await seedPerson(auth);
  const message = rowsOf(ellen, [headers, ['Ada', at(ellen, 'ada')], ['Ellen', 'taken'], ['Ellen Brown', ellen.email]]);
  const first = await sendRows(auth, message);
  expect(first).toMatchObject({ results: { created: 1, updated: 0, unchanged: 1, failures: 1 } });
  await sendRows(auth, rowsOf(ellen, [headers, ['Ada L.', at(ellen, 'ada')]]));
  expect(await sendRows(auth, message)).toEqual(first);
  expect((await peopleOf(auth, ellen)).map(({ name }) => name)).toEqual(['Ellen Brown', 'Ada L.']);
});

test('a process that is stopped in the middle leaves the rest to another one, and each row counts once', async () => {
  let pieces = 0;
  const importRests: Rests = {
    async after(piece) {
      const result = await piece();
      pieces += 1;
      if (pieces === 2) await one.app.stop();
      return result;
    },
    end: () => undefined,
  };
  const one: Auth = await store.start({ importRests });
  const ellen = await seedPerson(one);
  await sendRows(one, rowsOf(ellen, [headers, ['Old', at(ellen, 'old')]]));
  const names = ['a', 'b', 'c', 'd'];
  // A row about somebody of an earlier one is written after it, with those behind it.
  const rows = [['Older', 'old'], ['a', 'a'], ['a', 'a'], ...names.slice(1).map((name) => [name, name])] as const;
  const message = rowsOf(ellen, [headers, ...rows.map(([name = '', address = '']) => [name, at(ellen, address)])]);
  await expect(sendRows(one, message)).rejects.toThrow('The broker is closed');
  expect(pieces).toBe(2);

  const other = await store.start({ database: one.database });
  const before = (await peopleOf(other, ellen)).length;
  expect(before).toBe(3);
  expect(await sendRows(other, message)).toEqual({
    results: { ...none, updated: 1, unchanged: 1, created: 4 },
    failures: [],
  });
  expect((await peopleOf(other, ellen)).map(({ name }) => name)).toEqual(['Ellen Brown', 'Older', ...names]);
  // One entry each, although two processes have written them.
  expect(await entriesOf(other, ellen.accountId, 'person.created')).toHaveLength(1 + 1 + names.length);
  expect(await entriesOf(other, ellen.accountId, 'person.updated')).toHaveLength(1);
});

test('two processes with the same message make nobody twice, and answer the same', async () => {
  const other = await store.start({ database: auth.database });
  const ellen = await seedPerson(auth);
  const message = rowsOf(ellen, [headers, ...Array.from({ length: 8 }, (_, n) => [`P${n}`, at(ellen, `p${n}`)])]);
  const answers = await Promise.all([sendRows(auth, message), sendRows(other, message)]);
  const created = { results: { ...none, created: 8 }, failures: [] };
  expect(answers).toEqual([created, created]);
  expect(await peopleOf(auth, ellen)).toHaveLength(9);
});

test('a row that was written before the process ended is not written over what has changed since', async () => {
  const ellen = await seedPerson(auth);
  const message = rowsOf(ellen, [headers, ['Ada', at(ellen, 'ada')]]);
  await sendRows(auth, message);
  // As if the process had ended before it could keep what became of the rows.
  await auth.connection.collection('person_imports').updateMany({}, { $unset: { outcome: '' } });
  await sendRows(auth, rowsOf(ellen, [headers, ['Ada L.', at(ellen, 'ada')]]));
  expect(await sendRows(auth, message)).toEqual({ results: { ...none, created: 1 }, failures: [] });
  expect((await peopleOf(auth, ellen)).map(({ name }) => name)).toEqual(['Ellen Brown', 'Ada L.']);
});

test('a message in another form stops no other', async () => {
  const ellen = await seedPerson(auth);
  const message = rowsOf(ellen, [headers, ['Ada', at(ellen, 'ada')]]);
  await auth.broker.publish(peopleRowsRead, { ...message, rows: [{ line: 'x' }] } as never, 'wrong');
  expect(await sendRows(auth, message)).toMatchObject({ results: { created: 1 } });
});
