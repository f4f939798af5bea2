import { BSON } from 'mongodb';

/** Conditions on the elements of an array, as far as the services use them. Unknown operators are refused, not passed over. */
const operators = {
  $eq: (value, wanted) => equal(value, wanted),
  $ne: (value, wanted) => !equal(value, wanted),
  $in: (value, wanted) => wanted.some((one) => equal(value, one)),
  $nin: (value, wanted) => !wanted.some((one) => equal(value, one)),
  $exists: (value, wanted) => (value !== undefined) === Boolean(wanted),
};

export const isPlain = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !value._bsontype && !(value instanceof Date);

export const hasOperators = (value) => isPlain(value) && Object.keys(value).some((name) => name.startsWith('$'));

/** Whether an element is matched by a document of conditions on its fields, or by operators or a value for itself. */
export function elementMatches(element, condition) {
  if (!isPlain(condition) || hasOperators(condition)) return valueMatches(element, condition);
  return Object.entries(condition).every(([name, wanted]) =>
    valueMatches(isPlain(element) ? element[name] : undefined, wanted),
  );
}

function valueMatches(value, condition) {
  if (!hasOperators(condition)) return equal(value, condition);
  return Object.entries(condition).every(([name, wanted]) => {
    if (!Object.hasOwn(operators, name)) throw new Error(`The front of FerretDB does not know ${name} on elements`);
    return operators[name](value, wanted);
  });
}

const isNumber = (value) => ['Int32', 'Long', 'Double'].includes(value?._bsontype);

function equal(one, other) {
  if (isNumber(one) && isNumber(other)) return Number(one) === Number(other);
  if (one === undefined || one === null) return other === undefined || other === null;
  return Buffer.compare(BSON.serialize({ value: one }), BSON.serialize({ value: other })) === 0;
}
