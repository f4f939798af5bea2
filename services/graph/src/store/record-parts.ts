import { isBeginning } from '@itsm/shared/base/texts/words';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { choicesOf, valuesOf } from '../record-types/choices';
import type { Choice } from '../record-types/choices';
import { filterIndexesOf, keyOf, wordKey } from './record-indexes';
import type { Hint } from './record-page';
import { conditionWhere, pathOf, positive, wordWhere } from './record-selection';
import type { Selection, Where } from './record-selection';
import type { RecordType } from '../record-types/record-type';

/** A part of a selection, and the index in which its matches are ranges. */
export interface Part {
  readonly where: Where;
  readonly key: NonNullable<Hint['hint']>;
  /** All values of the open choices before the last given one: with them no other entries of the index are read. */
  readonly between: Where;
  /** All values of the choices that the selection leaves open: with them each range is in order of the id. */
  readonly open: Where;
  /** The number of these ranges; infinite when the index has no such order. */
  readonly ranges: number;
  readonly word?: string;
}

/** MongoDB merges no more ranges than this (`internalQueryMaxScansToExplode`); otherwise it sorts all matches. */
export const mostRanges = 200;

/** The parts of a selection that an index can find: its words, and its conditions with that on the owner. */
export function partsOfSelection(type: RecordType, { words = [], conditions, reach }: Selection): Part[] {
  const all = [
    ...conditions.map((condition) => positive(type, condition)),
    ...(typeof reach.who === 'number' ? [{ property: 'owners', in: [reach.who] }] : []),
  ];
  return [...words.map(partOfWord), ...partsOfConditions(type, all)];
}

/** Words with the same beginning are in order of their letters, so records come in order of the id for one word only. */
const partOfWord = (word: string): Part => ({
  where: wordWhere(word),
  key: wordKey,
  between: {},
  open: {},
  ranges: isBeginning(word) ? Infinity : 1,
  word,
});

/** Conditions that one index finds together are one part. */
function partsOfConditions(type: RecordType, conditions: readonly Condition[]): Part[] {
  const names = choicesOf(type).map(({ name }) => name);
  const found = conditions.filter((condition) => !('notIn' in condition));
  const choices = found.filter(({ property }) => names.includes(property));
  const others = found
    .filter((condition) => !choices.includes(condition))
    .flatMap((condition) => partWith(type, condition, choices) ?? []);
  const isCovered = choices.every(({ property }) => others.some(({ where }) => pathOf(property) in where));
  const together = isCovered ? undefined : partOfChoices(type, choices);
  return [...others, ...(together ? [together] : [])];
}

/** A condition with those on the choices that follow it in its index. */
function partWith(type: RecordType, condition: Condition, choices: readonly Condition[]): Part | undefined {
  if (condition.property === 'id') return partAlong(type, [], [condition]);
  const moments = [['createdAt'], ['updatedAt']];
  const parts = [...filterIndexesOf(type), ...moments]
    .filter(([first]) => first === condition.property)
    .map((index) => partAlong(type, index, [condition, ...choices.filter(({ property }) => index.includes(property))]));
  const size = ({ where }: Part): number => Object.keys(where).length;
  return parts.sort((one, other) => size(other) - size(one) || one.ranges - other.ranges)[0];
}

/** The conditions on choices, in the shortest index that has them all. */
function partOfChoices(type: RecordType, choices: readonly Condition[]): Part | undefined {
  const names = choicesOf(type).map(({ name }) => name);
  const indexes = filterIndexesOf(type)
    .filter((index) => index.every((name) => names.includes(name)))
    .filter((index) => choices.every(({ property }) => index.includes(property)))
    .sort((one, other) => one.length - other.length);
  return indexes[0] && partAlong(type, indexes[0], choices);
}

/** Null is two ranges, that of null and that of no value. */
const rangesOf = (values: readonly unknown[]): number => values.length + (values.includes(null) ? 1 : 0);

function partAlong(type: RecordType, index: readonly string[], conditions: readonly Condition[]): Part {
  const given = conditions.map(({ property }) => property);
  const open = choicesOf(type).filter(({ name }) => index.includes(name) && !given.includes(name));
  const last = Math.max(...given.map((name) => index.indexOf(name)));
  const anyOf = (all: readonly Choice[]): Where =>
    Object.fromEntries(all.map((choice) => [pathOf(choice.name), { $in: valuesOf(choice) }]));
  const counts = conditions.map((condition) => ('in' in condition ? rangesOf(condition.in) : Infinity));
  return {
    where: Object.assign({}, ...conditions.map((condition) => conditionWhere(type, condition))) as Where,
    key: keyOf(index),
    between: anyOf(open.filter(({ name }) => index.indexOf(name) < last)),
    open: anyOf(open),
    ranges: [...counts, ...open.map((choice) => rangesOf(valuesOf(choice)))].reduce((all, count) => all * count, 1),
  };
}
