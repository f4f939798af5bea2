import { shownName } from '../declared/declared.resource';
import type { Declaration } from '../declared/language';

/** Expects of an answer of REST that it has each declared field and nothing else, and the values of `expected`. */
export function expectWhole({ fields, isTimeless }: Declaration, shown: unknown, expected: object): void {
  const always = ['id', 'nodeID', ...(isTimeless ? [] : ['created_at', 'updated_at'])];
  expect(Object.keys(shown as object).sort()).toEqual([...always, ...fields.map(shownName)].sort());
  expect(shown).toMatchObject(expected);
}
