/** FerretDB 1.24 refuses `fields` in findAndModify: the front asks for the whole document and keeps what was asked for. */
export const isPlainInclusion = (fields) =>
  Object.entries(fields).every(([name, value]) => !name.includes('.') && Number(value) === 1);

export function keepFields(document, fields) {
  const names = new Set(['_id', ...Object.keys(fields)]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.has(name)));
}
