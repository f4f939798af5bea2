// What can be asked of a list, from the declarations: each view, filter, order and count, and pairs of filters.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const { filterNames, identityNames, orderNames } = load('../../services/graph/dist/read/record-query.js');
const { valuesOf, isChoice } = load('../../services/graph/dist/record-types/choices.js');
const { rootField, viewsOf } = load('../../services/graph/dist/record-types/record-type.js');
const { toNodeId } = load('../../shared/dist/base/ids/node-id.js');

/** How many different values each kind of field has in the records. */
const variety = { person: 500, people: 500, record: 2_000 };
const start = Date.UTC(2020, 0, 1);
const momentOf = (n) => new Date(start + n * 60_000 + ((n * 7919) % 1000) * 3_600_000);
const idOf = (graphqlName, id) => toNodeId('service.example', graphqlName, id);

/** A number from 0 to 2 ** 32 - 1 that has nothing to do with that of another field. */
function mixed(n, salt) {
  let a = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  a = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d);
  return (a ^ (a >>> 13)) >>> 0;
}

/** The value of a field in record `n`; one in ten records refers to another one, but all have a team. */
export function valueIn(field, n, salt) {
  const random = mixed(n, salt);
  if (isChoice(field)) return valuesOf(field)[random % valuesOf(field).length];
  if (field.name === 'team') return 1 + (random % 200);
  if (field.name === 'source') return ['mail', 'app', null][random % 3];
  if (field.name === 'sourceID') return `s-${n}`;
  if (field.kind === 'text') return `Printer ${n} on floor ${n % 40}, ${n % 2 === 0 ? 'left' : 'right'} wing`;
  if (field.kind === 'people') return [1 + (random % variety.people)];
  if (field.kind === 'person') return 1 + (random % variety.person);
  if (field.kind === 'record') return random % 10 === 0 ? 1 + (random % variety.record) : null;
  if (field.kind === 'timestamp' || field.kind === 'date') return momentOf(n);
  if (field.kind === 'integer') return random % 600;
  return null;
}

const literal = (value) => JSON.stringify(value instanceof Date ? value.toISOString() : value);

/** `[name, filter]` for each filter: a value, no value, all but a value, and a range. */
function filtersOf(type, records) {
  const n = Math.floor(records / 2);
  const fields = type.fields.filter(({ name }) => filterNames(type).includes(name));
  const ofFields = fields.flatMap((field) => {
    if (field.kind === 'flag')
      return [true, false].map((value) => [`${field.name} ${value}`, `${field.name}: ${value}`]);
    const salt = type.fields.indexOf(field);
    let value = valueIn(field, n, salt);
    for (let next = n; value === null; next += 1) value = valueIn(field, next, salt);
    if (Array.isArray(value)) [value] = value;
    if (field.kind === 'record') value = idOf(field.to.graphqlName, value);
    if (field.kind === 'person' || field.kind === 'people') value = idOf('Person', value);
    const shown = field.kind === 'choice' ? value : literal(value);
    return [
      [field.name, `${field.name}: { values: [${shown}] }`],
      [`${field.name} but one`, `${field.name}: { values: [${shown}], negate: true }`],
      ...(field.required ? [] : [[`no ${field.name}`, `${field.name}: { values: [null] }`]]),
      ...(value instanceof Date ? [[`${field.name} after`, `${field.name}: { greaterThan: ${shown} }`]] : []),
    ];
  });
  const at = literal(momentOf(n));
  return [
    ...identityNames(type).map((name) => [name, `${name}: { values: [${literal(idOf(type.graphqlName, n))}] }`]),
    ...ofFields,
    ...['createdAt', 'updatedAt'].map((name) => [`${name} after`, `${name}: { greaterThan: ${at} }`]),
    ['a rare word', `query: "${n}"`],
    ['a common word', 'query: "printer"'],
    ['a common word and a rare one', `query: "printer ${n}"`],
  ];
}

/** The questions by group: `{ name, query }`. */
export function questionsOf(type, records) {
  const root = rootField(type);
  const [title] = type.fields;
  const page = `nodes { id ${title.name} updatedAt } pageInfo { hasNextPage endCursor }`;
  const list = (parts) => `{ ${root}(first: 20${parts === '' ? '' : `, ${parts}`}) { ${page} } }`;
  const total = (parts) => `{ ${root}(first: 1${parts === '' ? '' : `, ${parts}`}) { totalCount } }`;
  const filters = filtersOf(type, records);
  const plain = filters.filter(([name]) => !name.includes(' '));
  const pairs = plain.flatMap(([one, first], n) =>
    plain.slice(n + 1).map(([other, second]) => [`${one} and ${other}`, `filter: { ${first}, ${second} }`]),
  );
  const filtered = filters.map(([name, filter]) => [name, `filter: { ${filter} }`]);
  const views = viewsOf(type).map((view) => [`view ${view}`, `view: ${view}`]);
  const orders = orderNames(type).flatMap((field) =>
    ['asc', 'desc'].map((direction) => [
      `order ${field} ${direction}`,
      `order: [{ field: ${field}, direction: ${direction} }]`,
    ]),
  );
  const asked = (all, write) => all.map(([name, parts]) => ({ name, query: write(parts) }));
  return {
    Lists: asked([...views, ...filtered, ...orders], list),
    Totals: asked([...views, ...filtered], total),
    'Lists by two filters': asked(pairs, list),
  };
}
