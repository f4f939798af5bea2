/**
 * FerretDB 1.24 refuses `expireAfterSeconds` and `partialFilterExpression`. Nothing expires here, and an index over more documents
 * finds the same. A unique one would refuse more, so that it is kept only where the filter says that its single field is there:
 * FerretDB leaves out documents that lack a field of the key.
 */
export function withPlainIndexes(command) {
  return { ...command, indexes: command.indexes.map(toPlainIndex) };
}

function toPlainIndex(index) {
  const { partialFilterExpression: filter, unique, key } = index;
  const plain = Object.fromEntries(Object.entries(index).filter(([option]) => !refused.has(option)));
  return { ...plain, unique: Boolean(unique && (!filter || says(filter, key))) };
}

const refused = new Set(['expireAfterSeconds', 'partialFilterExpression']);

function says(filter, key) {
  const [field, ...others] = Object.keys(key);
  return others.length === 0 && (filter[field]?.$type !== undefined || filter[field]?.$exists !== undefined);
}
