/**
 * FerretDB 1.24 refuses `fields` in findAndModify: the front asks for the whole document and gives what was asked for. Plain
 * are members of the document itself, either all named or all left out.
 */
export const isPlainProjection = (fields) => isAll(fields, 1) || isAll(fields, 0);

const isAll = (fields, wanted) =>
  Object.entries(fields).every(([name, value]) => !name.includes('.') && Number(value) === wanted);

export function project(document, fields) {
  const isKept = isAll(fields, 1) ? (name) => name === '_id' || name in fields : (name) => !(name in fields);
  return Object.fromEntries(Object.entries(document).filter(([name]) => isKept(name)));
}
