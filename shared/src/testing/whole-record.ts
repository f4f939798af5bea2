import { shownName } from '../declared/declared.resource';
import { isStored } from '../declared/language';
import type { Declaration } from '../declared/language';

/** Expects of an answer of REST that it has each declared field and nothing else, and the values of `expected`. */
export function expectWhole({ fields, isTimeless }: Declaration, shown: unknown, expected: object): void {
  const always = ['id', 'nodeID', ...(isTimeless ? [] : ['created_at', 'updated_at'])];
  const visible = fields.filter((field) => field.kind === 'derived' || isStored(field));
  expect(Object.keys(shown as object).sort()).toEqual([...always, ...visible.map(shownName)].sort());
  expect(shown).toMatchObject(expected);
}
