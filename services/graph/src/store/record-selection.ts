import { toMongoFilter } from '@itsm/shared/api/rest/filter';
import type { Condition } from '@itsm/shared/api/rest/filter';
import type { AccountField, RecordType } from '../record-types/record-type';

/** Whose records: those of everybody, of one person, or none; and those that `partners` share with the account. */
export interface Reach {
  readonly who: 'everybody' | 'nobody' | number;
  readonly partners: readonly string[];
}

/** Which records are meant; all parts must hold. */
export interface Selection {
  readonly reach: Reach;
  readonly conditions: readonly Condition[];
  /** Only where this person is an owner. */
  readonly ownedBy?: number;
  /** Each occurs in the title; an empty list is a text without words, which nothing has. */
  readonly words?: readonly string[];
}

/** Every record of the account itself, for reading on behalf of the platform. */
export const everything: Selection = { reach: { who: 'everybody', partners: [] }, conditions: [] };

export const sharedAs = (type: RecordType): AccountField[] => type.fields.filter((field) => field.kind === 'account');

type Where = Record<string, unknown>;

/** Where a property of a record stands in its document. */
export const pathOf = (property: string): string => {
  if (property === 'id') return '_id';
  return property === 'createdAt' || property === 'updatedAt' ? property : `values.${property}`;
};

const nothing: Where = { _id: { $in: [] } };

/** The selection as a condition for the store. */
export function toWhere(type: RecordType, accountId: string, selection: Selection): Where {
  const { reach, conditions, ownedBy, words } = selection;
  const all: Where[] = [
    ...(reach.who === 'nobody' ? [nothing] : []),
    ...(typeof reach.who === 'number' ? [{ owners: reach.who }] : []),
    ...(ownedBy === undefined ? [] : [{ owners: ownedBy }]),
    ...conditions.map((condition) => conditionWhere(type, condition)),
    ...(words?.length === 0 ? [nothing] : (words ?? []).map((word) => ({ words: word }))),
  ];
  return { ...accountWhere(type, accountId, reach), ...(all.length > 0 && { $and: all }) };
}

export const conditionWhere = (type: RecordType, condition: Condition): Where =>
  toMongoFilter(positive(type, condition), pathOf(condition.property));

/** None of some choices is one of the others, which an index answers. */
function positive(type: RecordType, condition: Condition): Condition {
  const field = type.fields.find(({ name }) => name === condition.property);
  if (!('notIn' in condition) || field?.kind !== 'choice') return condition;
  const all = [...(field.required ? [] : [null]), ...field.choices];
  return { property: condition.property, in: all.filter((choice) => !condition.notIn.includes(choice)) };
}

/** Records of the account, and those in which a partner names it. */
function accountWhere(type: RecordType, accountId: string, { partners }: Reach): Where {
  const fields = partners.length === 0 ? [] : sharedAs(type);
  if (fields.length === 0) return { accountId };
  const shared = fields.map(({ name }) => ({ [`values.${name}`]: accountId, accountId: { $in: [...partners] } }));
  return { $or: [{ accountId }, ...shared] };
}
