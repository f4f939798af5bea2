// What `npm run surface -- --deep` adds: what a service answers to each wrong value of each input, what it answers to
// reads, and what it has stored afterwards. One fact a line.
import { samples, violations } from './samples.mjs';

/**
 * `call(path, {method, body})` resolves with `{status, body}` as an administrator; `schema` is a GraphQLSchema,
 * `documents()` yields `{database, collection, document}` of every store, `readPaths` are the REST paths of reads. Wrong
 * values are sent to the inputs of the type `only`, or of all.
 */
export async function deepFacts({ call, schema, documents, readPaths, only }) {
  const isMeant = (type) => only === undefined || type === only;
  const mutations = schema.getMutationType().getFields();
  const inputOf = (mutation) => mutations[mutation].args[0].type.ofType.getFields();
  const made = {};
  const facts = [];

  for (const type of Object.keys(samples)) {
    const mutation = `${type}Create`;
    const { record, answer } = await mutate(mutation, fill(samples[type], `sample ${type}`));
    if (!record?.id) throw new Error(`The sample of ${type} is refused: ${JSON.stringify(answer)}`);
    made[type] = record.id;
    facts.push(`created ${type} ${masked(record)}`);
  }
  for (const mutation of Object.keys(mutations).sort()) {
    const [, type, verb] = /^(\w+?)(Create|Update)$/.exec(mutation) ?? [];
    if (!(type in samples || mutation === 'accountUpdate') || !isMeant(type)) continue;
    for (const [field, { type: fieldType }] of Object.entries(inputOf(mutation))) await breakField(field, fieldType);
    await breakField('unknownMember', 'String');

    async function breakField(field, fieldType) {
      for (const [what, value] of Object.entries(violations(String(fieldType).replaceAll(/[[\]!]/g, '')))) {
        const base = verb === 'Create' ? fill(samples[type], `${mutation} ${field} ${what}`) : { id: made[type] };
        note(`${mutation} ${field}, ${what}`, await mutate(mutation, { ...base, [field]: value }));
      }
    }
  }
  await writeByRest();
  for (const path of readPaths) {
    const { status, body } = await call(path);
    const items = Array.isArray(body) ? body : [body];
    // Which of two deliveries was tried first is not the same each time.
    const told = path.includes('deliveries') ? [] : items.map((item) => `read ${path} ${masked(item)}`);
    facts.push(`read ${path} ${status}`, ...told);
  }
  for (const [where, kinds] of [...(await storedMembers())].sort(([one], [other]) => (one < other ? -1 : 1)))
    facts.push(`stored ${where} ${[...kinds].sort()}`);
  return [...new Set(facts)];

  /** One fact for the status and the places, and one for the texts, which may be worded in another way. */
  function note(what, { status, places, texts }) {
    facts.push(`refusal ${what}: ${status} ${places}`);
    if (texts) facts.push(`text ${what}: ${texts}`);
  }

  async function mutate(mutation, input) {
    const { args, type: payload } = mutations[mutation];
    const members = payload.getFields();
    // The record, beside a secret that only this answer has.
    const name = Object.keys(members).find((each) => each !== 'errors' && 'getFields' in nullable(members[each].type));
    const shown = name ? `made: ${name} { ${scalarsOf(members[name].type)} } ` : '';
    const query = `mutation ($input: ${args[0].type}) { ${mutation}(input: $input) { ${shown}errors { path message } } }`;
    const { status, body } = await call('/graphql', { method: 'POST', body: { query, variables: { input } } });
    const result = body.data?.[mutation];
    const errors = [...(body.errors ?? []), ...(result?.errors ?? [])];
    return {
      status: result?.made ? 'accepted' : status,
      places: errors
        .map(({ path = [], extensions }) => `${[path].flat().join('.')} ${extensions?.code ?? ''}`.trim())
        .join(', '),
      texts: errors.map(({ message }) => masked(message)).join(' | '),
      record: result?.made,
      answer: body,
    };
  }

  /** The same wrong values at `POST` and `PATCH` of each collection; one fact for a collection that takes no writes. */
  async function writeByRest() {
    const collections = readPaths.filter((path) => /^\/v1\/[a-z_]+$/.test(path));
    for (const [type, sample] of Object.entries(samples)) {
      const path = collections.find((one) => one === `/v1/${snake(pluralOf(type))}`);
      if (!path || !isMeant(type)) continue;
      const toRest = (input) =>
        Object.fromEntries(Object.entries(input).map(([name, value]) => [restName(name), value]));
      const write = async (field, what, value) => {
        const body = toRest({ ...restIds(fill(sample, `rest ${type} ${field} ${what}`)), [field]: value });
        const answer = await call(path, { method: 'POST', body });
        const { errors = [], message } = answer.body ?? {};
        const isDone = answer.status < 300;
        note(`POST ${path} ${restName(field)}, ${what}`, {
          status: isDone ? 'accepted' : answer.status,
          places: isDone ? '' : errors.map(([place]) => place).join(', '),
          texts: isDone ? '' : masked([message, ...errors.map(([, text]) => text)].join(' | ')),
        });
        return answer.status;
      };
      if ((await write('name', 'a number', 7)) === 405) continue;
      for (const [field, { type: fieldType }] of Object.entries(inputOf(`${type}Create`)))
        for (const [what, value] of Object.entries(violations(String(fieldType).replaceAll(/[[\]!]/g, ''))))
          await write(field, what, value);
      await write('unknownMember', 'a text', 'x');
    }
  }

  async function storedMembers() {
    const found = new Map();
    for await (const { database, collection, document } of documents())
      for (const [path, kind] of membersOf(document)) {
        // These come and go with the work of background jobs.
        if (/^\.(attempts|counted|notices|uncounted)\b/.test(path)) continue;
        const where = `${database} ${collection} ${path}`;
        found.set(where, (found.get(where) ?? new Set()).add(kind));
      }
    return found;
  }

  function fill(value, name) {
    if (Array.isArray(value)) return value.map((one) => fill(one, name));
    if (typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, name)]));
    if (value.startsWith('@')) return made[value.slice(1)];
    return value.replace('$name', name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-'));
  }

  /** REST takes numbers where GraphQL gives global ids. */
  function restIds(input) {
    const toNumber = (value) => {
      if (typeof value !== 'string' || !Object.values(made).includes(value)) return value;
      return Number(Buffer.from(value, 'base64url').toString().split('/').at(-1));
    };
    return Object.fromEntries(
      Object.entries(input).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(toNumber) : toNumber(value),
      ]),
    );
  }
}

const nullable = (type) => type.ofType ?? type;
const scalarsOf = (type) =>
  Object.values(nullable(type).getFields())
    .filter((field) => field.args.length === 0 && !('getFields' in named(field.type)))
    .map(({ name }) => name)
    .sort()
    .join(' ');
const named = (type) => (type.ofType ? named(type.ofType) : type);

const snake = (name) => name.replaceAll(/(?<=[a-z])([A-Z])(?=[a-z])/g, (letter) => `_${letter.toLowerCase()}`);
const restName = (name) =>
  snake(name)
    .toLowerCase()
    .replace(/^sourceid$/, 'sourceID')
    .replace(/_?id$/, '_id')
    .replace(/^_id$/, 'id')
    .replace(/^source_id$/, 'sourceID');
const pluralOf = (type) =>
  ({
    person: 'people',
    oauthApplication: 'oauth_applications',
    ssoConfiguration: 'sso_configurations',
    webhookPolicy: 'webhook_policies',
    serviceLevelAgreement: 'slas',
  })[type] ?? `${type}s`;

/** What differs between two runs is replaced: times, numbers and ids of records, secrets and keys. */
function masked(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text
    .replaceAll('\n', '\\n')
    .replaceAll(/"(kid|reset|remaining|last_error)":("[^"]*"|\d+|null)/g, '"$1":<any>')
    .replaceAll(/-----BEGIN [\s\S]*?-----END [A-Z ]+-----(\\n)?/g, '<key>')
    .replaceAll(/\b\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, '<time>')
    .replaceAll(/\bitsm_[a-z]+_\w[\w-]*/g, '<secret>')
    .replaceAll(/localhost:\d+/g, '<host>')
    .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<uuid>')
    .replaceAll(/\b[\da-f]{16,}\b/g, '<hex>')
    .replaceAll(/\bc2Vydml[\w-]{8,}/g, '<node>')
    .replaceAll(/(?<="(?:id|supportID|\w+_id|\w+Id|requestId|number)":)("?)[^",}\]]+\1/g, '<id>')
    .replaceAll(/(?<=\/)\d+\b/g, '<id>');
}

/** The members of a stored document with their types. Names that are data, such as numbers and keys of maps, become `*`. */
function* membersOf(value, path = '') {
  if (Array.isArray(value)) for (const one of value) yield* membersOf(one, `${path}[]`);
  else if (isPlain(value))
    for (const [name, one] of Object.entries(value))
      yield* membersOf(one, `${path}.${/^[a-z_$][\w$]{0,40}$/i.test(name) ? name : '*'}`);
  else yield [path, value === null ? 'null' : (value._bsontype ?? value.constructor?.name ?? typeof value)];
}

const isPlain = (value) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
