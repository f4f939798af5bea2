import { elementMatches, hasOperators, isPlain } from './elements.mjs';

/** FerretDB 1.24 finds nothing with an `$elemMatch` on fields of the elements: the front looks and names the documents. */
export async function toKnownFilter(filter, collection, find) {
  const branches = Object.entries(filter).map(async ([name, condition]) => {
    if (!logical.has(name)) return [name, condition];
    return [name, await Promise.all(condition.map((branch) => toKnownFilter(branch, collection, find)))];
  });
  return toKnownConditions(Object.fromEntries(await Promise.all(branches)), collection, find);
}

const logical = new Set(['$and', '$or', '$nor']);

async function toKnownConditions(filter, collection, find) {
  const ours = Object.entries(filter).filter(([, condition]) => fieldConditions(condition));
  if (ours.length === 0) return filter;
  const rest = Object.fromEntries(Object.entries(filter).filter(([, condition]) => !fieldConditions(condition)));
  const documents = await find({ find: collection, filter: rest });
  const found = documents.filter((document) => ours.every(([path, condition]) => holds(document[path], condition)));
  return { $and: [rest, { _id: { $in: found.map(({ _id }) => _id) } }] };
}

function fieldConditions(condition) {
  if (!isPlain(condition)) return undefined;
  const conditions = condition.$elemMatch ?? condition.$not?.$elemMatch;
  return conditions && !hasOperators(conditions) ? conditions : undefined;
}

function holds(value, condition) {
  const conditions = fieldConditions(condition);
  const matches = Array.isArray(value) && value.some((element) => elementMatches(element, conditions));
  return condition.$not ? !matches : matches;
}
