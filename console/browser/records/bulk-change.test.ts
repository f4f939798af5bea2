/// <reference types="jest" />
import type { TypeDescription } from '@itsm/shared/declared/description';
import { ApiError } from '../api/errors';
import { changeAll, previewInWords, previewOf } from './bulk-change';
import type { KnownRecord } from './change';
import type { EditableField } from './editing';
import type { ListedRecord } from './list-document';

const status = {
  name: 'status',
  kind: 'choice',
  restInput: 'status',
  words: ['assigned', 'accepted', 'completed'].map((value) => ({ value, label: value })),
} as unknown as EditableField;
const member = { name: 'member', kind: 'reference', restInput: 'member_id' } as unknown as EditableField;
const type = { transitions: [{ from: 'completed', to: ['assigned'] }] } as unknown as TypeDescription;
const record = (number: number, values: object): ListedRecord => ({
  id: `id-${number}`,
  number,
  title: `Record ${number}`,
  updatedAt: '2026-03-01T00:00:00Z',
  ...values,
});
const numbersOf = (records: readonly { readonly number: number }[]) => records.map(({ number }) => number);
const nothing = (): void => undefined;
const known = { data: {}, tag: '"2.x"' } as unknown as KnownRecord;

test('a preview says which change, which have the value, and which cannot have it', () => {
  const records = [
    record(1, { status: 'assigned' }),
    record(2, { status: 'accepted' }),
    record(3, { status: 'completed' }),
  ];
  const preview = previewOf(type, { field: status, value: 'accepted' }, records);
  expect([preview.changed, preview.same, preview.barred].map(numbersOf)).toEqual([[1], [2], [3]]);
  expect(previewInWords(preview)).toBe(
    '1 of 3 will change. 1 has it already. 1 cannot change to it from their present value.',
  );
});

test('a reference is the same by its number, and nobody is a value too', () => {
  const records = [record(1, { member: { number: 2, title: 'Howard' } }), record(2, { member: null })];
  const preview = (value: unknown) => numbersOf(previewOf(type, { field: member, value }, records).changed);
  expect(preview({ id: 2, name: 'Howard' })).toEqual([2]);
  expect(preview({ id: 3, name: 'Mia' })).toEqual([1, 2]);
  expect(preview(null)).toEqual([1]);
});

test('each record is sent once, four at a time; a refusal is its own, and each change knows its way back', async () => {
  const records = Array.from({ length: 9 }, (_, index) =>
    record(index + 1, { member: index === 0 ? { number: 7, title: 'Mia' } : null }),
  );
  const sent: unknown[] = [];
  let [underWay, most, done] = [0, 0, 0];
  const write = async (number: number, body: unknown): Promise<KnownRecord> => {
    sent.push([number, body]);
    most = Math.max(most, (underWay += 1));
    await Promise.resolve();
    underWay -= 1;
    if (number === 4)
      throw new ApiError({
        kind: 'invalid',
        message: 'no',
        refusals: [{ path: ['member_id'], message: 'Member is gone' }],
      });
    return known;
  };
  const change = { field: member, value: { id: 2, name: 'Howard' }, more: { status: 'accepted' } };
  const { changed, refused } = await changeAll(change, records, write, () => (done += 1));
  expect(sent).toHaveLength(9);
  expect(sent).toContainEqual([1, { member_id: 2, status: 'accepted' }]);
  expect([most, done]).toEqual([4, 9]);
  expect(refused).toEqual([{ number: 4, message: 'Member is gone' }]);
  expect(numbersOf(changed)).toEqual([1, 2, 3, 5, 6, 7, 8, 9]);
  expect(changed.slice(0, 2).map(({ back }) => back)).toEqual([{ member_id: 7 }, { member_id: null }]);
});

test('nothing to change sends nothing', async () => {
  const result = await changeAll(
    { field: status, value: 'accepted', more: {} },
    [],
    () => Promise.reject(new Error()),
    nothing,
  );
  expect(result).toEqual({ changed: [], refused: [] });
});
