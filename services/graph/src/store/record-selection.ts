import { toMongoFilter } from '@itsm/shared/api/rest/filter';
import type { Condition } from '@itsm/shared/api/rest/filter';
import { isBeginning } from '@itsm/shared/base/texts/words';
import { asOneOfTexts } from '@itsm/shared/stores/mongo/partial-index';
import { customKeys } from './custom-keys';
import { choicesOf, valuesOf } from '../record-types/choices';
import type { LifeCycleState } from '../record-types/life-cycle';
import type { AccountField } from '@itsm/shared/declared/language';
import type { RecordType } from '../record-types/record-type';
import { placeOf } from './record-places';

/** The visible records: of everybody, of one person, or none; and those that `partners` share with the account. */
export interface Reach {
  readonly who: 'everybody' | 'nobody' | number;
  readonly partners: readonly string[];
}

/** A selection of records: a conjunction of its parts. */
export interface Selection {
  readonly reach: Reach;
  readonly conditions: readonly Condition[];
  /** Words that parts of the title must begin with. An empty list stands for a text without words, which matches nothing. */
  readonly words?: readonly string[];
  /** The states of the records; active ones alone when absent. */
  readonly states?: readonly LifeCycleState[];
}

/** All records of the account, for reads on behalf of the platform. */
export const everything: Selection = { reach: { who: 'everybody', partners: [] }, conditions: [] };

/** The states in which a record is read by its id, and referred to. */
export const readable: readonly LifeCycleState[] = ['active', 'archived'];

/** Where the records of the account are that a selection means. */
export function placeWhere(accountId: string, { states = ['active'] }: Pick<Selection, 'states'>): string | Where {
  const [first, ...others] = states.map((state) => placeOf(accountId, state));
  return others.length === 0 && first !== undefined ? first : { $in: [first, ...others] };
}

export type Where = Record<string, unknown>;

export const sharedAs = (type: RecordType): AccountField[] => type.fields.filter((field) => field.kind === 'account');

const besideValues = ['createdAt', 'updatedAt', 'owners', customKeys];

/** The path of a record's property in its document. */
export const pathOf = (property: string): string => {
  if (property === 'id') return '_id';
  return besideValues.includes(property) ? property : `values.${property}`;
};

const nothing: Where = { _id: { $in: [] } };
/** An erased record is still in its place, and seen by nobody. */
const unerased: Where = { 'aside.state': { $ne: 'erased' } };

/** The selection as a query of the store. */
export function toWhere(type: RecordType, accountId: string, selection: Selection): Where {
  const { reach, conditions, words, states } = selection;
  const all: Where[] = [
    ...(states?.includes('trashed') ? [unerased] : []),
    ...(reach.who === 'nobody' ? [nothing] : []),
    ...(typeof reach.who === 'number' ? [{ owners: reach.who }] : []),
    ...conditions.map((condition) => conditionWhere(type, condition)),
    ...(words?.length === 0 ? [nothing] : (words ?? []).map(wordWhere)),
  ];
  return { ...accountWhere(type, accountId, selection), ...(all.length > 0 && { $and: all }) };
}

/** Titles with a part that begins with this word, as one range of the word index. */
export const wordWhere = (word: string): Where => ({ words: isBeginning(word) ? new RegExp(`^${word}`) : word });

export const conditionWhere = (type: RecordType, condition: Condition): Where =>
  condition.property === customKeys && 'in' in condition
    ? { [customKeys]: asOneOfTexts(condition.in.map(String)) }
    : toMongoFilter(positive(type, condition), pathOf(condition.property));

/** Turns "not in" into "in" for choices, since an index can answer that. */
export function positive(type: RecordType, condition: Condition): Condition {
  const choice = choicesOf(type).find(({ name }) => name === condition.property);
  if (!('notIn' in condition) || !choice) return condition;
  return { property: condition.property, in: valuesOf(choice).filter((value) => !condition.notIn.includes(value)) };
}

/** Records of the account, and those of partners that refer to it. */
function accountWhere(type: RecordType, accountId: string, selection: Selection): Where {
  const { partners } = selection.reach;
  const own = { accountId: placeWhere(accountId, selection) };
  const fields = partners.length === 0 ? [] : sharedAs(type);
  if (fields.length === 0) return own;
  const shared = fields.map(({ name }) => ({ [`values.${name}`]: accountId, accountId: { $in: [...partners] } }));
  return { $or: [own, ...shared] };
}
